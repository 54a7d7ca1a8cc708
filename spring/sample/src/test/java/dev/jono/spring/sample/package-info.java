/** Tests that start the shop. */
@NullMarked
package dev.jono.spring.sample;

import org.jspecify.annotations.NullMarked;

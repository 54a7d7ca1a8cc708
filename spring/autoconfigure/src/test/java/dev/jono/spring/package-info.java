/** Tests of the auto-configuration. Each starts an application context. */
@NullMarked
package dev.jono.spring;

import org.jspecify.annotations.NullMarked;

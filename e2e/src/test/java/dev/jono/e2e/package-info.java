/** Tests over several modules. */
@NullMarked
package dev.jono.e2e;

import org.jspecify.annotations.NullMarked;

/** A service that takes orders over HTTP and ships them with a worker in the same process. */
@NullMarked
package dev.jono.examples.orders;

import org.jspecify.annotations.NullMarked;

/** Redis and its clients, stopped, killed and cut off. */
@NullMarked
package dev.jono.e2e.redis;

import org.jspecify.annotations.NullMarked;

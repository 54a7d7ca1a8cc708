/** Tests of the shared parts of the Redis modules. */
@NullMarked
package dev.jono.support.redis;

import org.jspecify.annotations.NullMarked;

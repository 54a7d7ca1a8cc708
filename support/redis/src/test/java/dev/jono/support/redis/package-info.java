/** Tests of what the Redis modules share. */
@NullMarked
package dev.jono.support.redis;

import org.jspecify.annotations.NullMarked;

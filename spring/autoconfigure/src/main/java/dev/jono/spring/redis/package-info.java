/** Queues on the Redis connection of the application. Uses Spring Data Redis. */
@NullMarked
package dev.jono.spring.redis;

import org.jspecify.annotations.NullMarked;

/**
 * Queues in the layout of keuss's {@code redis-list}: a list of JSON texts, pushed at its head and popped at its tail.
 * Nothing here is of use to applications, so nothing is exported.
 */
@NullMarked
package dev.jono.backend.redislist;

import org.jspecify.annotations.NullMarked;

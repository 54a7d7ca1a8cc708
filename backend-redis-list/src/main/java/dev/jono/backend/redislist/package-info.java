/**
 * Queues in the layout of keuss's {@code redis-list}: a list of JSON texts, pushed at its head and popped at its
 * tail. The module exports nothing: applications name the backend in a URL.
 */
@NullMarked
package dev.jono.backend.redislist;

import org.jspecify.annotations.NullMarked;

/** Tests of the backend redis-list, against a real Redis. */
@NullMarked
package dev.jono.backend.redislist;

import org.jspecify.annotations.NullMarked;

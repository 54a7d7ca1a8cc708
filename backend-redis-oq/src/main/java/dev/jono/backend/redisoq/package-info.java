/**
 * Queues in the layout of keuss's {@code redis-oq}: a hash of messages and a sorted set of their due times. Each step is
 * one Lua script of bounded work ({@link dev.jono.backend.redisoq.Scripts}); what stands in a message beside keuss's
 * own fields is said in {@code texts.lua}. Nothing here is of use to applications, so nothing is exported.
 */
@NullMarked
package dev.jono.backend.redisoq;

import org.jspecify.annotations.NullMarked;

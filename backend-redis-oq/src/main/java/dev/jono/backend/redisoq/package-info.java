/**
 * Queues in the layout of keuss's {@code redis-oq}: a hash of messages, and a sorted set of their due times. Each step is one
 * Lua script of bounded work ({@link dev.jono.backend.redisoq.Scripts}). {@code texts.lua} describes the fields that Jono adds
 * to keuss's. The module exports nothing: applications name the backend in a URL.
 */
@NullMarked
package dev.jono.backend.redisoq;

import org.jspecify.annotations.NullMarked;

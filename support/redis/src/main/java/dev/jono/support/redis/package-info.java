/**
 * Shared parts of Jono's modules for Redis: connections to one node, Sentinel and Cluster ({@link
 * dev.jono.support.redis.RedisLink}), options, scripts, keys, and the JSON form of stored messages.
 *
 * <p>Applications use only {@link dev.jono.support.redis.RedisStorage}, to hand in a client of their own. Everything else may
 * change with any version.
 */
@NullMarked
package dev.jono.support.redis;

import org.jspecify.annotations.NullMarked;

/**
 * What Jono's modules for Redis share: connections to one node, Sentinel and Cluster ({@link
 * dev.jono.support.redis.RedisLink}), options, scripts, keys, and the JSON in which messages are stored.
 *
 * <p>Applications use {@link dev.jono.support.redis.RedisStorage} alone, to hand in a client of theirs; all else may
 * change with any version.
 */
@NullMarked
package dev.jono.support.redis;

import org.jspecify.annotations.NullMarked;

/**
 * Servers for tests, found or started, and a TCP proxy that breaks connections. No driver is needed.
 *
 * <p>{@link dev.jono.testkit.server.RedisServer#sharedUri()} gives any Redis; {@link
 * dev.jono.testkit.server.RedisServer}, {@link dev.jono.testkit.server.RedisSentinels} and {@link
 * dev.jono.testkit.server.RedisCluster} start ones that a test may stop, kill and suspend. {@link
 * dev.jono.testkit.server.MongoReplicaSet} and {@link dev.jono.testkit.server.MongoServer} are the same for MongoDB.
 *
 * <p>A program is looked for on the {@code PATH} and in the cache folder ({@code JONO_TEST_CACHE}, by default {@code
 * ~/.cache/jono}), which {@code ./test} fills. Where none is found, the test is skipped with the reason, or fails if
 * the environment's {@code JONO_TEST_REQUIRE} names it. What is started here ends with this JVM, however that ends.
 */
@NullMarked
package dev.jono.testkit.server;

import org.jspecify.annotations.NullMarked;

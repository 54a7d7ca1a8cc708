/**
 * Servers for tests, and a TCP proxy that breaks connections. No driver is needed.
 *
 * <p>{@link dev.jono.testkit.server.RedisServer#sharedUri()} returns a Redis that all tests share; {@link
 * dev.jono.testkit.server.RedisServer}, {@link dev.jono.testkit.server.RedisSentinels} and {@link
 * dev.jono.testkit.server.RedisCluster} start servers that a test may stop, kill and suspend. {@link
 * dev.jono.testkit.server.MongoReplicaSet} and {@link dev.jono.testkit.server.MongoServer} do the same for MongoDB, {@link
 * dev.jono.testkit.server.PostgresServer}, {@link dev.jono.testkit.server.PostgresPair} and {@link
 * dev.jono.testkit.server.PgBouncer} for PostgreSQL.
 *
 * <p>Programs are searched on the {@code PATH} and in the cache folder ({@code JONO_TEST_CACHE}, by default {@code
 * ~/.cache/jono}), which {@code ./test} fills. If a program is missing, the test is skipped with the reason, or fails
 * if the environment variable {@code JONO_TEST_REQUIRE} names the program. Servers end with this JVM, for whatever
 * reason it ends.
 */
@NullMarked
package dev.jono.testkit.server;

import org.jspecify.annotations.NullMarked;

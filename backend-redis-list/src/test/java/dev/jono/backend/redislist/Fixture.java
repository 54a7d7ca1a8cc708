package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisSentinels;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.UUID;

/** Setups for tests: each with an unused prefix, on a server that all tests of a JVM share. */
final class Fixture {
    private Fixture() {}

    /** On one node. */
    static ContractSetup shared() {
        return onNode(RedisServer.sharedUri());
    }

    /** On this node. */
    static ContractSetup onNode(String uri) {
        return prefixed(uri, UUID.randomUUID() + ":").build();
    }

    /** Behind Sentinels. */
    static ContractSetup sentinels() {
        return prefixed(RedisSentinels.sharedUri(), UUID.randomUUID() + ":").build();
    }

    /** On a Cluster. */
    static ContractSetup cluster() {
        return onNode(RedisCluster.sharedUri());
    }

    private static ContractSetup.Builder prefixed(String uri, String prefix) {
        return setup("redis-list:" + uri + "?jono.prefix=" + prefix);
    }

    private static ContractSetup.Builder setup(String url) {
        return ContractSetup.builder(url)
                .declares(RedisListBackend.CAPABILITIES)
                .realTime(Duration.ofMillis(250))
                .otherProcessUrl(url);
    }
}

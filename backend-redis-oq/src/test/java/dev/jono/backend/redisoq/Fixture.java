package dev.jono.backend.redisoq;

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

    /** In one slot of a Cluster. */
    static ContractSetup oneSlot() {
        return prefixed(RedisCluster.sharedUri(), "{" + UUID.randomUUID() + "}:")
                .build();
    }

    /** On a Cluster, each queue in a slot of its own: a move between two of them is not atomic. */
    static ContractSetup slots() {
        return slots(RedisCluster.sharedUri());
    }

    /** On this Cluster, each queue in a slot of its own. */
    static ContractSetup slots(String uri) {
        return prefixed(uri, UUID.randomUUID() + ":").queuesApart().build();
    }

    private static ContractSetup.Builder prefixed(String uri, String prefix) {
        return setup("redis-oq:" + uri + "?jono.prefix=" + prefix);
    }

    private static ContractSetup.Builder setup(String url) {
        return ContractSetup.builder(url)
                .declares(RedisOqBackend.CAPABILITIES)
                .realTime(Duration.ofMillis(250))
                .otherProcessUrl(url);
    }
}

package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisSentinels;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.UUID;

/** Fresh places for tests: a prefix that nobody uses, on a server that all tests of a JVM share. */
final class Fixture {
    private Fixture() {}

    /** On one node. */
    static ContractSetup shared() {
        return apart(RedisServer.sharedUri());
    }

    /** On a node. */
    static ContractSetup apart(String uri) {
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

    /** On a Cluster, each queue in a slot of its own: no two are moved between in one step. */
    static ContractSetup slots() {
        return slots(RedisCluster.sharedUri());
    }

    /** On that Cluster, each queue in a slot of its own. */
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

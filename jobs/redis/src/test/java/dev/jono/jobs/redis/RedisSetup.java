package dev.jono.jobs.redis;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisSentinels;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/** Setups for tests: each with an unused prefix, on a server that all tests of a JVM share. */
final class RedisSetup {
    private static final Set<Capability> OQ =
            EnumSet.complementOf(EnumSet.of(Capability.HISTORY, Capability.TRANSACTION));

    private RedisSetup() {}

    static ContractSetup onNode() {
        return onNode(RedisServer.sharedUri());
    }

    static ContractSetup onNode(String uri) {
        return setup("redis-oq", uri, UUID.randomUUID() + ":").build();
    }

    /** With queues that have no jobs, but share the connection in the same way. */
    static ContractSetup list() {
        String url = url("redis-list", RedisServer.sharedUri(), UUID.randomUUID() + ":");
        return ContractSetup.builder(url)
                .declares(EnumSet.of(Capability.SHARED, Capability.DURABLE))
                .realTime(Duration.ofMillis(250))
                .build();
    }

    static ContractSetup sentinels() {
        return setup("redis-oq", RedisSentinels.sharedUri(), UUID.randomUUID() + ":")
                .build();
    }

    /** In one slot of a Cluster. */
    static ContractSetup oneSlot() {
        return setup("redis-oq", RedisCluster.sharedUri(), "{" + UUID.randomUUID() + "}:")
                .build();
    }

    /** On a Cluster, each type of jobs in a slot of its own. */
    static ContractSetup slots() {
        return slots(RedisCluster.sharedUri());
    }

    static ContractSetup slots(String uri) {
        return setup("redis-oq", uri, UUID.randomUUID() + ":").queuesApart().build();
    }

    private static String url(String backend, String uri, String prefix) {
        return backend + ":" + uri + "?jono.prefix=" + prefix;
    }

    private static ContractSetup.Builder setup(String backend, String uri, String prefix) {
        return ContractSetup.builder(url(backend, uri, prefix)).declares(OQ).realTime(Duration.ofMillis(250));
    }
}

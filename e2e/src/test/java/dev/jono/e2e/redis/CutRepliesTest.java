package dev.jono.e2e.redis;

import dev.jono.e2e.faults.CutLink;
import dev.jono.e2e.faults.CutScenarios;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The network is cut in the middle of the replies to scripts. */
@Tag("fault")
class CutRepliesTest {
    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void clear() {
        redis.call("FLUSHALL");
    }

    private static void each(String backend, Consumer<CutScenarios> scenario) {
        TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
        String behind = backend + ":redis://127.0.0.1:" + proxy.port();
        try (CutLink cut = CutLink.open(proxy, behind, backend + ":" + redis.uri())) {
            scenario.accept(new CutScenarios(cut, true));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void pushIsStoredOnceAlsoWhenItIsConsumedMeanwhile(String backend) {
        each(backend, CutScenarios::push);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void popFindsWhatItHadTaken(String backend) {
        each(backend, CutScenarios::pop);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void popOfOneFindsItAndLeavesTheNext(String backend) {
        each(backend, CutScenarios::popOfOne);
    }

    @Test
    void reserveFindsWhatItHadClaimed() {
        each("redis-oq", CutScenarios::reserve);
    }

    @Test
    void ackIsDoneOnce() {
        each("redis-oq", CutScenarios::ack);
    }

    @Test
    void extendIsDoneOnce() {
        each("redis-oq", CutScenarios::extend);
    }

    @Test
    void returnIsDoneAndCountedOnce() {
        each("redis-oq", CutScenarios::giveBack);
    }

    @Test
    void moveArrivesOnce() {
        each("redis-oq", CutScenarios::move);
    }
}

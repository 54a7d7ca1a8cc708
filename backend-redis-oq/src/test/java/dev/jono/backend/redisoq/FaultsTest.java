package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Faults of Redis and of the network, as a backend meets them. */
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class FaultsTest {
    private static String url(RedisServer redis) {
        return "redis-oq:" + redis.uri();
    }

    private static String through(TcpProxy proxy, String options) {
        return "redis-oq:redis://127.0.0.1:" + proxy.port() + options;
    }

    @Test
    void scriptsThatRedisForgotAreLoadedAgain() {
        try (RedisServer redis = RedisServer.start();
                RawBackend raw = RawBackend.open(url(redis))) {
            raw.insert("a");
            redis.call("SCRIPT", "FLUSH");
            raw.insert("b");
            redis.call("SCRIPT", "FLUSH");
            assertThat(raw.take(5)).containsExactly("a", "b");
        }
    }

    @Test
    void keyOfAnotherTypeIsAStorageExceptionThatNamesTheQueue() {
        try (RedisServer redis = RedisServer.start();
                RawBackend raw = RawBackend.open(url(redis))) {
            redis.call("SET", QueueKeys.INDEX + "orders", "something");
            assertThatThrownBy(() -> raw.claim(1))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("orders")
                    .hasMessageContaining("WRONGTYPE");
            assertThatThrownBy(() -> raw.insert("a")).isInstanceOf(StorageException.class);
        }
    }

    @Test
    void fullMemoryRefusesPushesAndLetsConsumersContinue() {
        try (RedisServer redis = RedisServer.start();
                RawBackend raw = RawBackend.open(url(redis))) {
            raw.insert("a");
            raw.insert("b");
            StoredMessage held = raw.claim(1).messages().get(0);
            redis.call("CONFIG", "SET", "maxmemory", "1");
            assertThatThrownBy(() -> raw.insert("c"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("OOM");
            assertThat(got(raw.store().ack(acking(held))).outcomes()).containsExactly(Outcome.DONE);
            StoredMessage second = raw.claim(1).messages().get(0);
            assertThat(got(raw.store().ack(acking(second))).outcomes()).containsExactly(Outcome.DONE);
            redis.call("CONFIG", "SET", "maxmemory", "0");
            assertThat(raw.take(5)).as("refused messages").isEmpty();
        }
    }

    @Test
    void fullMemoryLetsExpiredMessagesBeTakenAgain() {
        try (RedisServer redis = RedisServer.start();
                RawBackend dead = RawBackend.open(url(redis));
                RawBackend raw = RawBackend.open(url(redis))) {
            dead.insert("a", "b", "c");
            ClaimRequest brief =
                    ClaimRequest.builder().max(3).leaseMillis(1).token("brief").build();
            assertThat(got(dead.store().claim(brief)).messages()).hasSize(3);
            Awaitility.await("the leases to end")
                    .until(() -> got(dead.store().counts(CountsRequest.builder().build()))
                                    .reserved()
                            == 0);
            redis.call("CONFIG", "SET", "maxmemory", "1");
            StoredMessage held = raw.claim(1).messages().get(0);
            assertThat(got(raw.store().ack(acking(held))).outcomes()).containsExactly(Outcome.DONE);
            assertThat(raw.take(5)).containsExactly("b", "c");
        }
    }

    @Test
    void readOnlyReplicaRefuses() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.builder().replicaOf(primary).start();
                RawBackend raw = RawBackend.open(url(replica))) {
            assertThatThrownBy(() -> raw.insert("a"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("replica");
        }
    }

    @Test
    void wrongPasswordIsReportedAndNotShown() {
        try (RedisServer redis = RedisServer.builder().password("right").start()) {
            String url = "redis-oq:redis://:hunter2@" + redis.address();
            assertThatThrownBy(() -> RawBackend.open(url))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageContaining("***")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void unreachableServerIsReportedAtOnce() {
        assertThatThrownBy(() -> RawBackend.open("redis-oq:redis://127.0.0.1:1"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("127.0.0.1");
    }

    @Test
    void callWhoseReplyIsCutIsUnknownAndRepeatedOnce() {
        try (RedisServer redis = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
                RawBackend raw = RawBackend.open(through(proxy, ""))) {
            raw.insert("warm");
            assertThat(raw.take(1)).containsExactly("warm");

            InsertRequest push = inserting(message("a"), message("b"));
            proxy.cutReplyAfter(0);
            assertThatThrownBy(() -> got(raw.store().insert(push))).isInstanceOf(OutcomeUnknownException.class);
            assertThat(got(raw.store().insert(push)).items()).hasSize(2);

            ClaimRequest claim = claiming(1);
            proxy.cutReplyAfter(3);
            assertThatThrownBy(() -> got(raw.store().claim(claim))).isInstanceOf(OutcomeUnknownException.class);
            List<StoredMessage> claimed = got(raw.store().claim(claim)).messages();
            assertThat(claimed).extracting(m -> m.payload().text()).containsExactly("a");

            ClaimRequest take = claiming(5);
            proxy.cutReplyAfter(3);
            assertThatThrownBy(() -> got(raw.store().take(take))).isInstanceOf(OutcomeUnknownException.class);
            assertThat(got(raw.store().take(take)).messages())
                    .extracting(m -> m.payload().text())
                    .containsExactly("b");
            assertThat(got(raw.store().ack(acking(claimed.get(0)))).outcomes()).containsExactly(Outcome.DONE);
            assertThat(raw.take(5)).isEmpty();
        }
    }

    @Test
    void silentServerCausesATimeoutAndAReconnect() {
        try (RedisServer redis = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(redis.host(), redis.port());
                RawBackend raw = RawBackend.open(through(proxy, "?jono.timeout=500ms"))) {
            raw.insert("a");
            InsertRequest push = inserting(message("b"));
            proxy.stall();
            assertThatThrownBy(() -> got(raw.store().insert(push))).isInstanceOf(OutcomeUnknownException.class);
            assertThatThrownBy(
                            () -> got(raw.store().counts(CountsRequest.builder().build())))
                    .as("a read without an answer is a plain failure")
                    .isInstanceOf(StorageException.class);
            proxy.flow();
            Awaitility.await()
                    .ignoreExceptions()
                    .until(() -> got(raw.store().insert(push)).items().size() == 1);
            assertThat(raw.take(5)).containsExactly("a", "b");
        }
    }

    @Test
    void suspendedServerIsWaitedFor() {
        try (RedisServer redis = RedisServer.start();
                RawBackend raw = RawBackend.open(url(redis))) {
            raw.insert("a");
            redis.suspend();
            CompletableFuture<?> push =
                    raw.store().insert(inserting(message("b"))).toCompletableFuture();
            redis.resume();
            push.join();
            assertThat(raw.take(5)).containsExactly("a", "b");
        }
    }

    @Test
    void callsWhileRedisRestartsWaitForIt() {
        try (RedisServer redis = RedisServer.builder()
                        .option("appendonly", "yes")
                        .option("appendfsync", "always")
                        .start();
                RawBackend raw = RawBackend.open(url(redis))) {
            raw.insert("a");
            redis.kill();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !redis.isAlive());
            CompletableFuture<?> push = CompletableFuture.runAsync(() -> Awaitility.await()
                    .ignoreExceptions()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> raw.insert("b").items().size() == 1));
            redis.restart();
            push.join();
            assertThat(raw.take(5)).startsWith("a").contains("b");
        }
    }
}

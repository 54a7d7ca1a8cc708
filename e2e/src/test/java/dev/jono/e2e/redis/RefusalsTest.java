package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.JonoException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that Redis refuses has no effect, and the exception says what to do. Tested through the engine. */
class RefusalsTest {
    private static void refused(Runnable push, String... words) {
        assertThatThrownBy(push::run).isInstanceOf(StorageException.class).satisfies(failure -> {
            assertThat(failure.getMessage()).contains(words);
            assertThat(((JonoException) failure).queue()).isEqualTo("orders");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void fullMemoryRefusesPushesAndLetsConsumersGoOn(String backend) throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(backend + ":" + redis.uri())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            // So many that Redis forgets the earlier ones.
            for (int i = 0; i < 20; i++) {
                orders.push("p" + i);
                orders.pop(Duration.ZERO);
            }
            orders.pushAll(List.of("a", "b", "c"));
            redis.call("CONFIG", "SET", "maxmemory", "1");
            for (int i = 0; i < 20; i++) {
                refused(() -> orders.push("d"), "OOM", "maxmemory");
            }
            assertThatThrownBy(() -> orders.pushAll(List.of("e", "f"))).isInstanceOf(JonoException.class);
            assertThat(orders.pop(Duration.ZERO)).isPresent();
            assertThat(orders.pop(Duration.ZERO)).isPresent();
            redis.call("CONFIG", "SET", "maxmemory", "0");
            orders.push("g");
            assertThat(orders.totalSize()).as("no refused message").isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"redis-oq, keuss:q:ordered_queue:index:orders", "redis-list, keuss:q:list:orders"})
    void foreignThingUnderAKeyIsNamedAndLeftAlone(String backend, String key) {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(backend + ":" + redis.uri())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            redis.call("SET", key, "something");
            refused(() -> orders.push("a"), "WRONGTYPE", "something else");
            assertThatThrownBy(() -> orders.pop(Duration.ZERO))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("WRONGTYPE");
            assertThat(redis.call("GET", key)).isEqualTo("something");
            MessageQueue<String> others = jono.queue("others", Codec.string());
            others.push("b");
            assertThat(others.totalSize()).as("other queues work").isEqualTo(1);
        }
    }

    /** Messages that come without a signal are found at the poll interval. */
    @Test
    void foreignThingUnderAKeyKeepsNoOtherQueueFromBeingLookedAt() throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.builder("redis-oq:" + redis.uri())
                        .queueDefaults(QueueOptions.builder()
                                .pollInterval(Duration.ofMillis(200))
                                .build())
                        .connect();
                QueueFactory silent = QueueFactory.builder("redis-oq:" + redis.uri())
                        .signaller("local:")
                        .connect()) {
            MessageQueue<String> broken = jono.queue("broken", Codec.string());
            CompletableFuture<Optional<Message<String>>> waiting = broken.popAsync(Duration.ofMinutes(1));
            CompletableFuture<Optional<Message<String>>> other =
                    jono.queue("orders", Codec.string()).popAsync(Duration.ofMinutes(1));
            redis.call("SET", "keuss:q:ordered_queue:index:broken", "something");
            silent.queue("orders", Codec.string()).push("a");
            assertThat(other.get(10, TimeUnit.SECONDS)).isPresent();
            assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasStackTraceContaining("WRONGTYPE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void readOnlyReplicaRefusesAndNamesThePrimary(String backend) {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.builder().replicaOf(primary).start();
                QueueFactory jono = QueueFactory.connect(backend + ":" + replica.uri())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            refused(() -> orders.push("a"), "READONLY", "primary");
            assertThat(orders.totalSize()).as("reading is allowed").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"index", "hash"})
    void moveToAQueueThatIsSomethingElseLosesNothing(String part) throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            redis.call("SET", "keuss:q:ordered_queue:" + part + ":others", "something");
            Reservation<String> held = orders.reserve(Duration.ZERO).orElseThrow();
            assertThatThrownBy(() -> held.moveTo("others"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("WRONGTYPE");
            held.release();
            assertThat(orders.pop(Duration.ZERO).orElseThrow().payload()).isEqualTo("a");
        }
    }

    @Test
    void pushIntoAQueueOfWhichAPartIsSomethingElseLeavesNothingBehind() {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            redis.call("SET", "keuss:q:ordered_queue:index:orders", "something");
            refused(() -> jono.queue("orders", Codec.string()).push("a"), "WRONGTYPE");
            assertThat(redis.call("EXISTS", "keuss:q:ordered_queue:hash:orders"))
                    .isEqualTo(0L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void refusedSignalFailsNoPush(String backend) throws Exception {
        try (RedisServer redis = RedisServer.builder()
                        .users("user me on >hunter2 ~* resetchannels +@all")
                        .start();
                QueueFactory jono = QueueFactory.connect(backend + ":redis://me:hunter2@" + redis.address())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("a");
            orders.pushAll(List.of("b", "c", "d"));
            assertThat(orders.totalSize()).as("once each").isEqualTo(4);
            for (String payload : List.of("a", "b", "c", "d")) {
                assertThat(orders.pop(Duration.ofSeconds(10)).orElseThrow().payload())
                        .isEqualTo(payload);
            }
        }
    }

    @Test
    void rightsThatLackAreNamed() {
        try (RedisServer redis = RedisServer.builder()
                        .users("user me on >hunter2 ~* &* -@all +hello")
                        .start();
                QueueFactory jono = QueueFactory.connect("redis-oq:redis://me:hunter2@" + redis.address())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            refused(() -> orders.push("a"), "NOPERM", "docs/backends");
        }
    }
}

package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.Counter;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The plugins for signals and stats share signals, counters and the paused flag with keuss. */
@Tag("keuss")
class SignalsAndStatsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final RedisServer redis = RedisServer.start();
    private final Keuss keuss = start(redis);
    private final ExecutorService drivers = Executors.newCachedThreadPool();
    private final Signaller signaller = provider(SignallerProvider.class, SignallerProvider::type, "redis-pubsub")
            .open(config("redis-pubsub"));
    private final StatsStore stats =
            provider(StatsProvider.class, StatsProvider::type, "redis").open(config("redis"));
    private final RecordingListener ear = new RecordingListener();
    private KeussFactory factory = keuss.factory("redis-oq", "NS", Map.of("port", redis.port()), Map.of());

    private static Keuss start(RedisServer redis) {
        try {
            return Keuss.start();
        } catch (RuntimeException absent) {
            redis.close();
            throw absent;
        }
    }

    private static <P> P provider(Class<P> type, java.util.function.Function<P, String> name, String wanted) {
        return ServiceLoader.load(type).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> name.apply(p).equals(wanted))
                .findFirst()
                .orElseThrow();
    }

    private PluginConfig config(String type) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse(type + ":" + redis.uri()))
                .namespace("NS")
                .executor(drivers)
                .build();
    }

    private static final class RecordingListener implements Signaller.Listener {
        private final List<Signal> heard = new CopyOnWriteArrayList<>();
        private final AtomicInteger gaps = new AtomicInteger();

        @Override
        public void onSignal(Signal signal) {
            heard.add(signal);
        }

        @Override
        public void onGap() {
            gaps.incrementAndGet();
        }

        Signal await(int number) {
            Awaitility.await("signal " + number).atMost(LONG).until(() -> heard.size() >= number);
            return heard.get(number - 1);
        }
    }

    private static <T> T got(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @BeforeEach
    void listen() {
        signaller.subscribe("qs", ear);
        Awaitility.await("the subscription").atMost(LONG).until(() -> ear.gaps.get() > 0);
    }

    @AfterEach
    void end() {
        signaller.close();
        stats.close();
        drivers.shutdownNow();
        boolean alive = keuss.isAlive();
        List<String> problems = keuss.problems();
        keuss.close();
        redis.close();
        assertThat(alive).as("Node lives: %s", problems).isTrue();
        assertThat(problems).isEmpty();
    }

    @Test
    void pushesOfKeussAreHeardWithTheirDueTime() {
        KeussQueue queue = factory.queue("qs");
        long before = System.currentTimeMillis();
        queue.push("now");
        assertThat(ear.await(1).kind()).isEqualTo(Signal.Kind.INSERTED);
        assertThat(ear.await(1).dueMillis()).isBetween(before, System.currentTimeMillis());
        // A new Queue object, or keuss's throttle would suppress the signal.
        factory.queue("qs").push("later", Map.of("delay", 100));
        assertThat(ear.await(2).dueMillis()).isGreaterThan(before + 99_000);
    }

    @Test
    void returnAtOnceWhichKeussSignalsAsZeroIsHeardAsNow() {
        KeussQueue queue = factory.queue("qs");
        queue.push("x");
        ear.await(1);
        JsonNode element = queue.reserve(LONG);
        assertThat(factory.queue("qs").ko(element).asBoolean()).isTrue();
        assertThat(ear.await(2).dueMillis()).isEqualTo(1);
    }

    @Test
    void sleepingTakerOfKeussIsWokenByAPublish() throws Exception {
        KeussQueue queue = factory.queue("qs");
        CompletableFuture<JsonNode> element = queue.popLater(LONG);
        queue.awaitSleeping(1);
        String id = "11111111-1111-4111-8111-111111111111";
        long due = System.currentTimeMillis();
        redis.call(
                "HSET",
                "keuss:q:ordered_queue:hash:qs",
                id,
                "{\"_id\":\"" + id + "\",\"payload\":7,\"tries\":0,\"hdrs\":{},\"mature\":" + due + "}");
        redis.call("ZADD", "keuss:q:ordered_queue:index:qs", Long.toString(due), id);
        // keuss polls once a minute, so a message that arrives sooner was signalled.
        got(signaller.publish(Signal.inserted("qs", due)));
        assertThat(got(element).get("payload").asInt()).isEqualTo(7);
    }

    @Test
    void extremeDueTimesDoNotKillKeuss() throws Exception {
        KeussQueue queue = factory.queue("qs");
        CompletableFuture<JsonNode> element = queue.popLater(LONG);
        queue.awaitSleeping(1);
        for (long due : new long[] {Long.MIN_VALUE, -1, 0, 1, 8_640_000_000_000_000L, Long.MAX_VALUE}) {
            got(signaller.publish(Signal.inserted("qs", due)));
        }
        factory.queue("qs").push("x");
        assertThat(got(element).get("payload").asText()).isEqualTo("x");
        assertThat(keuss.isAlive()).isTrue();
    }

    @Test
    void pauseOfKeussIsHeardAndRead() throws Exception {
        KeussQueue queue = factory.queue("qs");
        queue.pause(true);
        assertThat(ear.await(1).kind()).isEqualTo(Signal.Kind.PAUSED);
        assertThat(got(stats.paused(List.of("qs", "other")))).containsExactly("qs");
        queue.pause(false);
        assertThat(ear.await(2).kind()).isEqualTo(Signal.Kind.RESUMED);
        assertThat(got(stats.paused(List.of("qs")))).isEmpty();
    }

    @Test
    void pauseFromHereStopsKeussAndResumeLetsItGoOn() throws Exception {
        KeussQueue queue = factory.queue("qs");
        got(stats.setPaused("qs", true));
        assertThat(queue.paused()).isTrue();
        // A Queue object reads the flag at its first take.
        queue.push("x");
        CompletableFuture<JsonNode> element = queue.popLater(LONG);
        KeussQueue other = factory.queue("other");
        other.push("y");
        assertThat(other.pop(LONG).get("payload").asText()).isEqualTo("y");
        assertThat(element).isNotDone();
        got(stats.setPaused("qs", false));
        got(signaller.publish(Signal.resumed("qs")));
        assertThat(got(element).get("payload").asText()).isEqualTo("x");
        // From now on it follows signals only.
        got(stats.setPaused("qs", true));
        got(signaller.publish(Signal.paused("qs")));
        ear.await(3);
        assertThat(ear.heard).extracting(Signal::kind).endsWith(Signal.Kind.PAUSED);
    }

    @Test
    void countersAddUpOverBothSides() throws Exception {
        KeussQueue queue = factory.queue("qs", Map.of("reserve_delay", 7));
        queue.push("a");
        queue.push("b");
        queue.pop(LONG);
        queue.ok(queue.reserve(LONG));
        Awaitility.await("keuss to flush")
                .atMost(LONG)
                .until(() -> got(stats.read("qs"))
                        .equals(Map.of(
                                Counter.PUSHED, 2L, Counter.POPPED, 1L, Counter.RESERVED, 1L, Counter.ACKED, 1L)));
        got(stats.add(Map.of(
                "qs",
                Map.of(Counter.PUSHED, 40L, Counter.RETRIED, 3L, Counter.DEAD_LETTERED, 2L, Counter.RELEASED, 5L))));
        assertThat(queue.stats())
                .isEqualTo(
                        Keuss.JSON.readTree(
                                "{\"put\":42,\"get\":1,\"reserve\":1,\"commit\":1,\"rollback\":3,\"deadletter\":2,\"release\":5}"));
    }

    @Test
    void keussListsWhatWasCountedHereAndTheOtherWayRound() throws Exception {
        got(stats.add(Map.of("ours", Map.of(Counter.PUSHED, 1L))));
        got(stats.setPaused("flagged", true));
        factory.queue("theirs", Map.of("reserve_delay", 7));
        Awaitility.await("keuss to write")
                .atMost(LONG)
                .until(() -> got(stats.queues()).equals(java.util.Set.of("ours", "flagged", "theirs")));
        Awaitility.await("names and options")
                .atMost(LONG)
                .untilAsserted(() -> assertThat(factory.listFull())
                        .isEqualTo(Keuss.JSON.readTree(
                                "{\"ours\":{\"counters\":{\"put\":1},\"name\":\"ours\",\"ns\":\"NS\","
                                        + "\"opts\":{},\"paused\":false},\"flagged\":{\"counters\":{},\"name\":\"flagged\","
                                        + "\"ns\":\"NS\",\"opts\":{},\"paused\":true},\"theirs\":{\"counters\":{},\"name\":\"theirs\","
                                        + "\"ns\":\"NS\",\"opts\":{\"reserve_delay\":7},\"paused\":false}}")));
        got(stats.clear("theirs"));
        assertThat(factory.list()).hasSize(3);
    }
}

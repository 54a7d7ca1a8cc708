package dev.jono.signal.redispubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.QueueClosedException;
import dev.jono.StorageException;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.testkit.RecordingListener;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisSentinels;
import dev.jono.testkit.server.RedisServer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fault")
class RedisPubSubFaultsTest {
    private static final Signal PUSHED = Signal.inserted("orders", 1_795_253_974_719L);

    /** Publishes as the engine does: best effort, one signal at a time. */
    private static void publishUntilHeard(Signaller from, RecordingListener listener) {
        int before = listener.signals().size();
        Signallers.await("a signal", () -> {
            from.publish(PUSHED)
                    .toCompletableFuture()
                    .exceptionally(lost -> null)
                    .join();
            return listener.signals().size() > before;
        });
    }

    private static void awaitGap(RecordingListener listener, int before) {
        Signallers.await("a gap", () -> listener.gaps() > before);
    }

    @Test
    void confirmedSubscriptionReportsOneGap() {
        try (RedisServer server = RedisServer.start();
                Signaller to = Signallers.open(server.uri(), "N")) {
            RecordingListener listener = new RecordingListener();
            to.subscribe("orders", listener);
            awaitGap(listener, 0);
            server.call("PUBLISH", "keuss:signal:N:orders", "1795253974719");
            Signallers.await("the signal", () -> listener.signals().size() == 1);
            assertThat(listener.gaps()).isEqualTo(1);
        }
    }

    @Test
    void foreignTextsAreIgnoredAndTheNextSignalArrives() {
        try (RedisServer server = RedisServer.start();
                Signaller to = Signallers.open(server.uri(), "N")) {
            RecordingListener listener = new RecordingListener();
            to.subscribe("orders", listener);
            awaitGap(listener, 0);
            for (String text : List.of("", "NaN", "x y", "999999999999999999999")) {
                server.call("PUBLISH", "keuss:signal:N:orders", text);
            }
            server.call("PUBLISH", "keuss:signal:N:orders", "p true");
            Signallers.await("the signal", () -> !listener.signals().isEmpty());
            assertThat(listener.signals()).singleElement().matches(s -> s.kind() == Signal.Kind.PAUSED);
        }
    }

    @Test
    void killedConnectionIsReopenedWithAGap() {
        try (RedisServer server = RedisServer.start();
                Signaller to = Signallers.open(server.uri(), "N");
                Signaller from = Signallers.open(server.uri(), "N")) {
            RecordingListener listener = new RecordingListener();
            RecordingListener other = new RecordingListener();
            to.subscribe("orders", listener);
            to.subscribe("other", other);
            awaitGap(listener, 0);
            awaitGap(other, 0);
            server.call("CLIENT", "KILL", "TYPE", "pubsub");
            awaitGap(listener, 1);
            awaitGap(other, 1);
            publishUntilHeard(from, listener);
        }
    }

    @Test
    void restartedServerIsListenedToAgain() {
        try (RedisServer server = RedisServer.start();
                Signaller to = Signallers.open(server.uri(), "N");
                Signaller from = Signallers.open(server.uri(), "N")) {
            RecordingListener listener = new RecordingListener();
            to.subscribe("orders", listener);
            awaitGap(listener, 0);
            server.kill();
            // subscribed while the server is down
            RecordingListener late = new RecordingListener();
            to.subscribe("late", late);
            server.restart();
            awaitGap(listener, 1);
            awaitGap(late, 0);
            publishUntilHeard(from, listener);
        }
    }

    @Test
    void suspendedServerDelaysAndNothingHangs() throws Exception {
        try (RedisServer server = RedisServer.start();
                Signaller to = Signallers.open(server.uri() + "?jono.timeout=1s", "N");
                Signaller from = Signallers.open(server.uri() + "?jono.timeout=1s", "N")) {
            RecordingListener listener = new RecordingListener();
            to.subscribe("orders", listener);
            awaitGap(listener, 0);
            server.suspend();
            CompletionStage<Void> sent = from.publish(PUSHED);
            assertThatThrownBy(() -> sent.toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StorageException.class);
            server.resume();
            publishUntilHeard(from, listener);
        }
    }

    @Test
    void queuesAreSubscribedOnlyWithListenersAndInFewCommands() {
        try (RedisServer server = RedisServer.start();
                Signaller to = Signallers.open(server.uri(), "N")) {
            List<Signaller.Subscription> subscriptions = IntStream.range(0, 10_000)
                    .mapToObj(i -> to.subscribe("q" + i, new RecordingListener()))
                    .toList();
            Signallers.await("all subscriptions", () -> channels(server) == 10_000);
            assertThat(calls(server, "subscribe")).isLessThan(100);
            subscriptions.subList(1, 10_000).forEach(Signaller.Subscription::close);
            Signallers.await("the subscriptions to end", () -> channels(server) == 1);
            assertThat(calls(server, "unsubscribe")).isLessThan(100);
            RecordingListener again = new RecordingListener();
            to.subscribe("q5", again);
            awaitGap(again, 0);
        }
    }

    private static int channels(RedisServer server) {
        return server.callForList("PUBSUB", "CHANNELS").size();
    }

    private static long calls(RedisServer server, String command) {
        return String.valueOf(server.call("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .map(line -> line.replaceAll("[^=]*=(\\d+),.*", "$1"))
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Test
    void sentinelsFailoverIsSurvived() {
        try (RedisSentinels all = RedisSentinels.start();
                Signaller to = Signallers.open(all.uri(), "N");
                Signaller from = Signallers.open(all.uri(), "N")) {
            RecordingListener listener = new RecordingListener();
            to.subscribe("orders", listener);
            awaitGap(listener, 0);
            RedisServer old = all.primary();
            old.kill();
            all.awaitFailoverFrom(old);
            awaitGap(listener, 1);
            publishUntilHeard(from, listener);
        }
    }

    @Test
    void clustersNodesDeathIsSurvived() {
        try (RedisCluster cluster = RedisCluster.start();
                Signaller to = Signallers.open(cluster.uri(), "N");
                Signaller from = Signallers.open(cluster.uri(), "N")) {
            RecordingListener listener = new RecordingListener();
            to.subscribe("orders", listener);
            publishUntilHeard(from, listener);
            int gaps = listener.gaps();
            RedisServer listenedTo = cluster.nodes().stream()
                    .filter(n -> channels(n) > 0)
                    .findFirst()
                    .orElseThrow();
            listenedTo.kill();
            awaitGap(listener, gaps);
            publishUntilHeard(from, listener);
        }
    }

    @Test
    void unreachableServerIsReportedAtOnce() {
        int port;
        try (RedisServer server = RedisServer.start()) {
            port = server.port();
        }
        assertThatThrownBy(() -> Signallers.open("redis://user:secret@127.0.0.1:" + port, "N"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("127.0.0.1")
                .hasMessageNotContaining("secret");
    }

    @Test
    void closedSignallerRefusesAndIsQuiet() {
        try (RedisServer server = RedisServer.start()) {
            Signaller signaller = Signallers.open(server.uri(), "N");
            RecordingListener listener = new RecordingListener();
            Signaller.Subscription subscription = signaller.subscribe("orders", listener);
            awaitGap(listener, 0);
            signaller.close();
            assertThatCode(subscription::close).doesNotThrowAnyException();
            assertThatThrownBy(() ->
                            signaller.publish(PUSHED).toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(QueueClosedException.class);
            Signallers.await("its connections to end", () -> channels(server) == 0);
        }
    }
}

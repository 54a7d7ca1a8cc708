package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One queue, used from here and by keuss at once. Nothing here is found by polling: keuss polls once a minute, and
 * queues here once in ten.
 */
abstract class KeussCase {
    static final Duration LONG = Duration.ofSeconds(30);
    static final String NAMESPACE = "NS";

    final RedisServer redis = RedisServer.start();
    final Keuss keuss;
    final KeussFactory factory;
    final QueueFactory jono;
    private final String backend;

    KeussCase(String backend) {
        this.backend = backend;
        @Nullable Keuss started = null;
        try {
            started = Keuss.start(redis);
            keuss = started;
            factory = keuss.factory(backend, NAMESPACE, Map.of("deadletter", Map.of("max_ko", 2)));
            jono = connect();
        } catch (RuntimeException failure) {
            if (started != null) {
                started.close();
            }
            redis.close();
            throw failure;
        }
    }

    /** One more factory, as another process would have one. */
    final QueueFactory connect() {
        return QueueFactory.builder(backend + ":" + redis.uri())
                .namespace(NAMESPACE)
                .deadLetter(DeadLetter.after(4))
                .queueDefaults(QueueOptions.builder()
                        .pollInterval(Duration.ofMinutes(10))
                        .lease(Duration.ofMinutes(2))
                        .build())
                .connect();
    }

    @AfterEach
    final void end() {
        jono.close();
        boolean alive = keuss.isAlive();
        List<String> problems = keuss.problems();
        keuss.close();
        redis.close();
        assertThat(alive).as("Node lives: %s", problems).isTrue();
        assertThat(problems).isEmpty();
    }

    final MessageQueue<EncodedPayload> raw(String name) {
        return jono.queue(name, Codec.raw());
    }

    final MessageQueue<JsonNode> json(String name) {
        return jono.queue(name, JsonNode.class);
    }

    static <T> Message<T> popped(MessageQueue<T> queue) throws InterruptedException {
        return queue.pop(LONG).orElseThrow(() -> new AssertionError("nothing came"));
    }

    static <T> T got(CompletableFuture<T> future) throws Exception {
        return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** Puts a stored text of keuss's where keuss would, due a second ago. */
    abstract void plant(String queue, String stored);

    /** The text that a lone message is stored as. */
    abstract String stored(String queue);

    @Test
    void whatKeussStoredIsReadHere() throws InterruptedException {
        MessageQueue<EncodedPayload> queue = raw("qs");
        for (JsonNode kind : Fixtures.kinds(backend)) {
            String stored = kind.get("stored").asText();
            plant("qs", stored);
            Message<EncodedPayload> message = popped(queue);
            JsonNode payload = kind.has("delivered_first")
                    ? kind.get("delivered_first")
                    : kind.get("popped_back_by_keuss").get("payload");
            assertThat(Fixtures.shown(message.payload()))
                    .as(kind.get("kind").asText())
                    .isEqualTo(payload);
            assertThat(Fixtures.shown(message.headers()))
                    .isEqualTo(Fixtures.json(stored).get("hdrs"));
            assertThat(message.tries()).isZero();
        }
    }

    @Test
    void whatIsPushedHereIsStoredAsKeussDoesAndReadByIt() {
        MessageQueue<EncodedPayload> queue = raw("qs");
        KeussQueue theirs = factory.queue("qs");
        for (JsonNode kind : Fixtures.kinds(backend)) {
            JsonNode expected = Fixtures.json(kind.get("stored").asText());
            JsonNode shown = expected.has("type")
                    ? Keuss.JSON
                            .createObjectNode()
                            .put("$buffer_base64", expected.get("payload").asText())
                    : expected.get("payload");
            if (shown.isNull()) {
                continue; // refused here, as everywhere: it kills Node on other backends
            }
            PushOptions options = PushOptions.none();
            for (Map.Entry<String, Object> header :
                    Fixtures.values(expected.get("hdrs")).entrySet()) {
                options = options.header(header.getKey(), header.getValue());
            }
            queue.push(Fixtures.payload(shown), options);
            JsonNode stored = Fixtures.json(stored("qs"));
            for (String field : List.of("payload", "hdrs", "tries")) {
                assertThat(stored.get(field))
                        .as("%s of %s", field, kind.get("kind"))
                        .isEqualTo(expected.get(field));
            }
            assertThat(Optional.ofNullable(stored.get("type"))).isEqualTo(Optional.ofNullable(expected.get("type")));
            JsonNode delivered = theirs.pop(LONG);
            assertThat(delivered.get("payload")).isEqualTo(shown);
            assertThat(delivered.get("hdrs")).isEqualTo(expected.get("hdrs"));
            assertThat(delivered.get("tries").asInt()).isZero();
        }
    }

    @Test
    void messagesTravelBothWaysInOrder() throws InterruptedException {
        MessageQueue<JsonNode> queue = json("qs");
        KeussQueue theirs = factory.queue("qs");
        for (int i = 0; i < 20; i += 2) {
            theirs.push(i);
            awaitNextMillisecond();
            queue.push(Keuss.JSON.valueToTree(i + 1));
            awaitNextMillisecond();
        }
        for (int i = 0; i < 20; i++) {
            JsonNode payload =
                    i % 3 == 0 ? popped(queue).payload() : theirs.pop(LONG).get("payload");
            assertThat(payload.asInt()).isEqualTo(i);
        }
        assertThat(theirs.totalSize()).isZero();
        assertThat(queue.size()).isZero();
    }

    /** keuss's ids are random, and decide the order of what is due in the same millisecond. */
    private static void awaitNextMillisecond() {
        long now = System.currentTimeMillis();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> System.currentTimeMillis() > now + 1);
    }

    @Test
    void pushOfKeussWakesAWaiterHere() throws Exception {
        CompletableFuture<Optional<Message<JsonNode>>> waiting = json("qs").popAsync(LONG);
        awaitListening("qs", 1);
        factory.queue("qs").push("x");
        assertThat(got(waiting).orElseThrow().payload().asText()).isEqualTo("x");
    }

    @Test
    void pushHereWakesAWaiterOfKeuss() throws Exception {
        KeussQueue theirs = factory.queue("qs");
        CompletableFuture<JsonNode> waiting = theirs.popLater(LONG);
        theirs.awaitSleeping(1);
        json("qs").push(Keuss.JSON.valueToTree("x"));
        assertThat(got(waiting).get("payload").asText()).isEqualTo("x");
    }

    /** Waits until so many clients listen to the signals of a queue; each Queue object of keuss's factory counts once. */
    final void awaitListening(String queue, int clients) {
        Awaitility.await("listeners to " + queue)
                .pollInterval(Duration.ofMillis(10))
                .atMost(LONG)
                .until(() -> redis.callForList("PUBSUB", "NUMSUB", "keuss:signal:" + NAMESPACE + ":" + queue)
                        .get(1)
                        .equals((long) clients));
    }

    @Test
    void pauseHereHoldsKeussAndResumeLetsItGoOn() throws Exception {
        MessageQueue<JsonNode> queue = json("qs");
        KeussQueue theirs = factory.queue("qs");
        CompletableFuture<JsonNode> waiting = theirs.popLater(LONG);
        theirs.awaitSleeping(1);
        queue.pause();
        Awaitility.await("keuss to park").atMost(LONG).until(() -> sleeping(theirs) == 0);
        queue.push(Keuss.JSON.valueToTree("x"));
        KeussQueue another = factory.queue("other");
        another.push("y");
        another.pop(LONG);
        assertThat(waiting).isNotDone();
        assertThat(theirs.paused()).isTrue();
        queue.resume();
        assertThat(got(waiting).get("payload").asText()).isEqualTo("x");
    }

    private int sleeping(KeussQueue queue) {
        return keuss.call("waiting", Map.of("queue", queue.handle())).asInt();
    }

    @Test
    void pauseOfKeussHoldsWaitersHereAndItsResumeLetsThemGoOn() throws Exception {
        MessageQueue<JsonNode> queue = json("qs");
        KeussQueue theirs = factory.queue("qs");
        CompletableFuture<Optional<Message<JsonNode>>> waiting = queue.popAsync(LONG);
        awaitListening("qs", 2);
        theirs.pause(true);
        Awaitility.await("the pause").atMost(LONG).until(queue::isPaused);
        theirs.push("x");
        assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        assertThat(queue.size()).isEqualTo(1);
        theirs.pause(false);
        assertThat(got(waiting).orElseThrow().payload().asText()).isEqualTo("x");
    }

    @Test
    void bothSidesSeeWhatBothHaveCounted() throws Exception {
        MessageQueue<JsonNode> queue = json("qs");
        KeussQueue theirs = factory.queue("qs");
        theirs.push(1);
        theirs.push(2);
        queue.push(Keuss.JSON.valueToTree(3));
        popped(queue);
        popped(queue);
        theirs.pop(LONG);
        Awaitility.await("both to flush")
                .atMost(LONG)
                .until(() -> theirs.stats().equals(Fixtures.json("{\"put\":3,\"get\":3}")));
        assertThat(queue.stats().pushed()).isEqualTo(3);
        assertThat(queue.stats().popped()).isEqualTo(3);
        assertThat(factory.list().toString()).contains("\"qs\"");
    }

    /** Both push 10,000 and both take, until all have come out. */
    final void consumeTogether(boolean reserve, Consumer here) throws Exception {
        int half = 10_000;
        KeussQueue theirs = factory.queue("qs");
        KeussQueue producer = factory.queue("qs");
        MessageQueue<JsonNode> queue = json("qs");
        List<Long> taken = java.util.Collections.synchronizedList(new ArrayList<>());
        theirs.consume(16, reserve);
        Runnable stop = here.start(queue, taken);
        try {
            CompletableFuture<JsonNode> produced = producer.produce(0, half, 16);
            List<CompletableFuture<?>> pushed = new ArrayList<>();
            for (long i = half; i < 2L * half; i++) {
                pushed.add(queue.pushAllAsync(List.of(Keuss.JSON.valueToTree(i)), PushOptions.none()));
                if (pushed.size() % 500 == 0) {
                    got(CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new)));
                }
            }
            got(CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new)));
            Keuss.got(produced);
            Awaitility.await("all to be taken")
                    .pollInterval(Duration.ofMillis(100))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> theirs.totalSize() == 0 && taken.size() + theirs.taken() >= 2L * half);
        } finally {
            stop.run();
        }
        JsonNode result = theirs.stop();
        assertThat(result.get("errors")).isEmpty();
        List<Long> all = new ArrayList<>(taken);
        int fromHere = all.size();
        result.get("taken").forEach(n -> all.add(n.asLong()));
        assertThat(fromHere).as("taken here").isPositive();
        assertThat(all.size() - fromHere).as("taken by keuss").isPositive();
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 2L * half).boxed().toList());
        assertThat(queue.counts().total()).isZero();
    }

    /** Starts to take numbers here; what it returns stops that. */
    interface Consumer {
        Runnable start(MessageQueue<JsonNode> queue, List<Long> taken);
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothPopTwentyThousandAtOnce() throws Exception {
        consumeTogether(false, (queue, taken) -> {
            AtomicBoolean on = new AtomicBoolean(true);
            List<CompletableFuture<Void>> takers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                takers.add(CompletableFuture.runAsync(
                        () -> {
                            while (on.get()) {
                                queue.popAsync(20, Duration.ofMillis(200))
                                        .join()
                                        .forEach(m -> taken.add(m.payload().asLong()));
                            }
                        },
                        command -> new Thread(command, "taker").start()));
            }
            return () -> {
                on.set(false);
                takers.forEach(CompletableFuture::join);
            };
        });
    }
}

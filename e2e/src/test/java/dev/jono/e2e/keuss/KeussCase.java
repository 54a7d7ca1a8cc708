package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The base of the tests in which Jono and keuss use one queue at the same time. No message is found by polling: keuss
 * polls once a minute, and Jono once in ten minutes.
 */
@Tag("keuss")
abstract class KeussCase {
    static final Duration LONG = Duration.ofSeconds(30);
    static final String NAMESPACE = "NS";

    final Keuss keuss;
    final KeussFactory factory;
    final QueueFactory jono;
    private final Place place;

    /** The storage that Jono and keuss share. */
    abstract static class Place {
        final String backend;

        Place(String backend) {
            this.backend = backend;
        }

        /** For {@link QueueFactory#connect}. */
        abstract String url();

        /** Adds what the URL does not say, such as a signaller of another storage. */
        QueueFactoryBuilder with(QueueFactoryBuilder builder) {
            return builder;
        }

        /** For {@link Keuss#factory}. */
        abstract Map<String, ?> where();

        abstract Keuss keuss();

        /** The options of keuss's factory. */
        Map<String, ?> options() {
            return Map.of("deadletter", Map.of("max_ko", 2));
        }

        /** Waits until keuss receives signals of Jono. */
        void awaitAttached() {}

        /** Waits until this many clients listen to the signals of a queue. Each Queue object of keuss counts once. */
        abstract void awaitListening(String queue, int clients);

        /** Ends everything that it started. */
        abstract void close();
    }

    KeussCase(Place place) {
        this.place = place;
        try {
            keuss = place.keuss();
            factory = keuss.factory(place.backend, NAMESPACE, place.where(), place.options());
            jono = connect();
            place.awaitAttached();
        } catch (RuntimeException failure) {
            place.close();
            throw failure;
        }
    }

    /** Where the queues of this test are. */
    final Place place() {
        return place;
    }

    /** Opens one more factory, which acts like another process. */
    final QueueFactory connect() {
        return place.with(QueueFactory.builder(place.url()))
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
        place.close();
        assertThat(alive).as("Node lives: %s", problems).isTrue();
        assertThat(problems).isEmpty();
    }

    final MessageQueue<EncodedPayload> raw(String name) {
        return jono.queue(name, Codec.raw());
    }

    final MessageQueue<JsonNode> json(String name) {
        return jono.queue(name, JsonNode.class);
    }

    /** The id of an element of keuss. */
    static String id(JsonNode element) {
        JsonNode id = element.get("_id");
        return id.has("$oid") ? id.get("$oid").asText() : id.asText();
    }

    static <T> Message<T> popped(MessageQueue<T> queue) throws InterruptedException {
        return queue.pop(LONG).orElseThrow(() -> new AssertionError("nothing came"));
    }

    static <T> T got(CompletableFuture<T> future) throws Exception {
        return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** Whether Jono, and not keuss, takes this one of twenty messages. */
    boolean takenHere(int number) {
        return number % 3 == 0;
    }

    @Test
    void messagesTravelBothWaysInOrder() throws InterruptedException {
        MessageQueue<JsonNode> queue = json("qs");
        KeussQueue theirs = factory.queue("qs");
        for (int i = 0; i < 20; i += 2) {
            theirs.push(i);
            awaitStored(queue, i + 1);
            queue.push(Keuss.JSON.valueToTree(i + 1));
            awaitStored(queue, i + 2);
        }
        for (int i = 0; i < 20; i++) {
            JsonNode payload =
                    takenHere(i) ? popped(queue).payload() : theirs.pop(LONG).get("payload");
            assertThat(payload.asInt()).isEqualTo(i);
        }
        awaitStored(queue, 0);
        assertThat(theirs.totalSize()).isZero();
    }

    /**
     * keuss writes some changes later. Its ids are random, and they decide the order of messages that are due in the
     * same millisecond.
     */
    private static void awaitStored(MessageQueue<JsonNode> queue, int count) {
        Awaitility.await(count + " messages")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(LONG)
                .until(() -> queue.totalSize() == count);
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

    final void awaitListening(String queue, int clients) {
        place.awaitListening(queue, clients);
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
}

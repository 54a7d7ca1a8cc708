package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.e2e.mongo.Step.End;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A standalone server does not recognize a repeated call. So a call whose reply is cut off is not repeated: its caller
 * learns that the outcome is unknown or that the call had no effect, and this must be true.
 */
@Tag("fault")
class StandaloneCutTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final int TRIES = 10;
    private static final List<Double> PARTS = List.of(0.0, 0.4, 0.7, 0.85, 0.95);

    private static MongoServer server;

    @BeforeAll
    static void start() {
        server = MongoServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static MessageQueue<String> queue(QueueFactory jono, String name) {
        return jono.queue(name, Codec.string());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo", "bucket-mongo-safe"})
    void callWithoutReplyIsToldAsWhatItIs(String backend) throws Exception {
        String database = Urls.database();
        Queue<AutoCloseable> opened = new ConcurrentLinkedQueue<>();
        try (QueueFactory sure =
                Step.connecting(Urls.of(backend, server.uri(database)), LONG).connect()) {
            boolean reserves = queue(sure, "any").capabilities().contains(Capability.RESERVE);
            Map<Step, CompletableFuture<List<MessageQueue<String>>>> used = new LinkedHashMap<>();
            for (Step step : Step.values()) {
                if (reserves || !step.needsReservation()) {
                    Attempts attempts = new Attempts(step, backend, database, sure, opened);
                    used.put(
                            step,
                            CompletableFuture.supplyAsync(
                                    attempts::all, task -> new Thread(task, "attempts-" + step).start()));
                }
            }
            CompletableFuture.allOf(used.values().toArray(CompletableFuture[]::new))
                    .join();
            // These two may hold the message for up to a minute.
            used.keySet().removeAll(Set.of(Step.POP, Step.REJECT));
            used.values()
                    .forEach(queues -> queues.join().forEach(queue -> {
                        List<String> there = Step.seen(queue);
                        assertThat(Step.out(queue))
                                .as("out of %s", queue.name())
                                .isEqualTo(there);
                    }));
        } finally {
            for (AutoCloseable each : opened) {
                each.close();
            }
        }
    }

    /** The engine moves in two steps: it stores the message in the target, and then removes it from the source. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo", "bucket-mongo-safe"})
    void moveBetweenCollectionsIsRefusedAndChangesNothing(String backend) {
        try (RawBackend raw = RawBackend.open(Urls.of(backend, server.uri(Urls.database())))) {
            raw.insert("a");
            StoredMessage held = raw.claim(1).messages().get(0);
            MoveItem item = MoveItem.builder()
                    .receipt(RawBackend.receipt(held))
                    .toQueue("dead")
                    .due(Due.in(0))
                    .build();
            MoveRequest request = MoveRequest.builder()
                    .items(List.of(item))
                    .token(RawBackend.token())
                    .build();
            assertThatThrownBy(() -> RawBackend.got(raw.store().move(request)))
                    .isInstanceOf(UnsupportedCapabilityException.class)
                    .hasMessageContaining("orders");
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(held))).outcomes())
                    .containsExactly(Outcome.DONE);
        }
    }

    /** One step, cut off at several positions of its replies. */
    private static final class Attempts {
        private final Step step;
        private final String backend;
        private final String database;
        private final QueueFactory sure;
        private final Queue<AutoCloseable> opened;
        private final List<MessageQueue<String>> used = new ArrayList<>();
        private long replyBytes;

        Attempts(Step step, String backend, String database, QueueFactory sure, Queue<AutoCloseable> opened) {
            this.step = step;
            this.backend = backend;
            this.database = database;
            this.sure = sure;
            this.opened = opened;
        }

        /** Makes the attempts, and returns the queues that were used. */
        List<MessageQueue<String>> all() {
            // One of the attempts may also have read the server's clock.
            assertThat(attempt(-1)).isEqualTo(End.DONE);
            long first = replyBytes;
            assertThat(attempt(-1)).isEqualTo(End.DONE);
            long whole = Math.min(first, replyBytes);
            List<End> ends = new ArrayList<>();
            boolean behind = true;
            // Both measurements may include the driver's monitoring: then nothing was cut.
            for (int tries = 0; behind && tries < TRIES; tries++) {
                for (double part : PARTS) {
                    ends.add(attempt((long) (whole * part)));
                }
                behind = !ends.contains(End.UNKNOWN) && step != Step.RESERVE;
                whole = whole * 4 / 5; // in small steps, because the relevant reply may be a tenth of all bytes
            }
            if (step != Step.RESERVE) { // most of its replies are results of searches, which the driver repeats
                assertThat(ends).as("ends of %s", step).contains(End.UNKNOWN);
            }
            return used;
        }

        /**
         * Makes one attempt on a new queue, and cuts it off after this many bytes of replies, or not if negative. Uses
         * a new client, because one that was cut off waits half a second before its next action, even a close.
         */
        private End attempt(long passing) {
            try {
                return tried(passing);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private End tried(long passing) throws InterruptedException {
            String name = step.queue() + used.size();
            MessageQueue<String> beside = queue(sure, name);
            used.add(beside);
            TcpProxy proxy = TcpProxy.to(server.host(), server.port());
            QueueFactory cut = Step.connecting(Urls.of(backend, Urls.through(proxy, database)), LONG)
                    .connect();
            opened.addAll(List.of(cut, proxy));
            MessageQueue<String> through = queue(cut, name);
            through.push("warm"); // makes the indexes
            assertThat(through.pop(LONG)).isPresent();
            beside.pushAll(List.of("a", "b"));
            Reservation<String> held = step.held(through);
            long before = proxy.replyBytes();
            if (passing >= 0) {
                proxy.cutReplyAfter(passing);
            }
            End end = step.end(through, held);
            replyBytes = proxy.replyBytes() - before;
            check(end, Step.seen(beside));
            return end;
        }

        private void check(End end, List<String> there) {
            List<List<String>> possible = step.possible(end);
            // In buckets the message first gets a new bucket and is then removed from the old one; in between there are
            // two copies.
            if (step == Step.RETRY && end == End.UNKNOWN && backend.equals("bucket-mongo-safe")) {
                possible.add(List.of("a", "a", "b"));
            }
            assertThat(there).as("there after %s, %s", step, end).isIn(possible);
            if (step == Step.REJECT) {
                // Stored in the target, and then removed from the source.
                List<String> dead = Step.seen(queue(sure, Step.DEAD));
                queue(sure, Step.DEAD).purge();
                assertThat(dead).as("dead after %s", end).isIn(List.of(), List.of("a"));
                assertThat(dead.isEmpty() && !there.contains("a")).as("lost").isFalse();
                assertThat(end == End.DONE && dead.isEmpty()).isFalse();
                assertThat(end == End.NOT_DONE && !dead.isEmpty()).isFalse();
            }
        }
    }
}

package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.Codec;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.e2e.faults.CutLink;
import dev.jono.e2e.mongo.Step.End;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The only server hangs for some seconds during each operation, and then continues. */
@Tag("fault")
class HangingServerTest {
    private static final List<String> BACKENDS = List.of("mongo", "bucket-mongo-safe");

    private static MongoReplicaSet set;

    @BeforeAll
    static void start() {
        set = MongoReplicaSet.start(1);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    /** All steps on one backend, each on a queue of its own, started while the server hangs. */
    private static final class Steps implements AutoCloseable {
        private final QueueFactory jono;
        private final Map<Step, Reservation<String>> held = new LinkedHashMap<>();
        private final Map<Step, CompletableFuture<End>> ends = new LinkedHashMap<>();

        Steps(String url, Duration operationTimeout) throws InterruptedException {
            jono = Step.connecting(url, operationTimeout).connect();
            for (Step step : Step.values()) {
                queue(step.queue()).pushAll(List.of("a", "b"));
                Reservation<String> reserved = step.held(queue(step.queue()));
                if (reserved != null) {
                    held.put(step, reserved);
                }
            }
        }

        MessageQueue<String> queue(String name) {
            return jono.queue(name, Codec.string());
        }

        void begin() {
            for (Step step : Step.values()) {
                ends.put(
                        step,
                        CompletableFuture.supplyAsync(
                                () -> {
                                    try {
                                        return step.end(queue(step.queue()), held.get(step));
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                },
                                task -> new Thread(task, "step-" + step).start()));
            }
        }

        void check() {
            ends.forEach((step, end) -> {
                List<String> out = Step.out(queue(step.queue()));
                List<String> dead = step == Step.REJECT ? Step.out(queue(Step.DEAD)) : List.of();
                assertThat(out).as("out after %s, %s", step, end).isIn(step.possible(end.join()));
                if (step == Step.REJECT) {
                    List<String> all = new ArrayList<>(out);
                    all.addAll(dead);
                    assertThat(all).as("in one of the two queues").containsExactlyInAnyOrder("a", "b");
                }
            });
        }

        @Override
        public void close() {
            jono.close();
        }
    }

    /** Suspends the server, starts the steps, and resumes the server later. All steps must end within this time. */
    private static List<Steps> hang(Duration hang, Duration operationTimeout, Duration ended, String... options)
            throws Exception {
        List<Steps> all = new ArrayList<>();
        for (String backend : BACKENDS) {
            all.add(new Steps(Urls.of(backend, set.uri(Urls.database()), options), operationTimeout));
        }
        var server = set.awaitPrimary();
        server.suspend();
        CompletableFuture<Void> awake = CompletableFuture.runAsync(
                server::resume, CompletableFuture.delayedExecutor(hang.toSeconds(), TimeUnit.SECONDS));
        all.forEach(Steps::begin);
        for (Steps steps : all) {
            CompletableFuture.allOf(steps.ends.values().toArray(CompletableFuture[]::new))
                    .get(ended.toMillis(), TimeUnit.MILLISECONDS);
        }
        awake.join();
        return all;
    }

    @Test
    void hangThatIsShorterThanTheOperationTimeoutIsADelayAndNothingElse() throws Exception {
        for (Steps steps : hang(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(10))) {
            try (steps) {
                steps.ends.forEach(
                        (step, end) -> assertThat(end.join()).as("%s", step).isEqualTo(End.DONE));
                steps.check();
            }
        }
    }

    /**
     * The driver also gives up before the server continues. A step with an unknown outcome took effect once or not at
     * all.
     */
    @Test
    void hangThatIsLongerEndsInAClearExceptionForEach() throws Exception {
        for (Steps steps :
                hang(Duration.ofSeconds(4), Duration.ofSeconds(1), Duration.ofSeconds(3), "jono.timeout=500ms")) {
            try (steps) {
                steps.ends.forEach(
                        (step, end) -> assertThat(end.join()).as("%s", step).isNotEqualTo(End.DONE));
                steps.check();
            }
        }
    }

    /** A transaction is retried while others conflict with it, but not for ever if no server answers. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo-safe"})
    void moveEndsAlsoWithoutTheEngine(String backend) {
        String options = "jono.timeout=300ms";
        try (RawBackend raw = RawBackend.open(Urls.of(backend, set.uri(Urls.database()), options))) {
            raw.insert("a");
            StoredMessage held = raw.claim(1).messages().get(0);
            MoveRequest request = MoveRequest.builder()
                    .items(List.of(MoveItem.builder()
                            .receipt(RawBackend.receipt(held))
                            .toQueue("dead")
                            .due(Due.in(0))
                            .build()))
                    .token(RawBackend.token())
                    .build();
            raw.queue("dead").counts(CountsRequest.builder().build());
            var server = set.awaitPrimary();
            server.suspend();
            try {
                assertThat(CompletableFuture.supplyAsync(() ->
                                catchThrowable(() -> RawBackend.got(raw.store().move(request)))))
                        .succeedsWithin(Duration.ofSeconds(4))
                        .isInstanceOf(JonoException.class);
            } finally {
                server.resume();
            }
            assertThat(CutLink.answered(() -> RawBackend.got(raw.store().move(request)))
                            .outcomes())
                    .containsExactly(Outcome.DONE);
        }
    }
}

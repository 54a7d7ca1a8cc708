package dev.jono.internal.stats;

import dev.jono.StorageException;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.spi.Counter;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Questions for paused flags: one to the store at a time, and each is answered, with its own queue's flag. Counts: each is
 * added once, whatever comes during a flush and however often the store refuses.
 */
@Timeout(300) // The checker spins: it is slow on a busy machine.
@Tag("model")
final class StatsHubModelTest {
    @Test
    void everyQuestionIsAnswered() {
        Fakes.check(
                Questions.class,
                "ask:0 | ask:1 | answer",
                "| ask:0, answer | ask:1, ask:2",
                "ask:0 | ask:0 | answer, ask:2");
    }

    @Test
    void noCountIsLostOrDoubled() {
        Fakes.check(
                Counts.class,
                "count | pass, answer | count, count",
                "count, pass | refuse | count, pass",
                "| count, pass | count",
                "count | pass, count | pass, refuse");
    }

    /** Counting, and a store that answers later, or refuses. */
    public static final class Counts {
        private final Fakes.Clock clock = new Fakes.Clock();
        private final Fakes.Later later = new Fakes.Later();
        private final AtomicInteger underWay = new AtomicInteger();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final AtomicLong stored = new AtomicLong();
        private final AtomicLong counted = new AtomicLong();
        private final StatsHub hub = new StatsHub(Fakes.context(clock, 10, Runnable::run), new SlowCounts());
        private final PendingCounts counters = Fakes.counters(hub);

        private final class SlowCounts extends FakePlugins.NoStats {
            @Override
            public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
                if (underWay.incrementAndGet() > 1) {
                    wrong.add("two at a time");
                }
                CompletableFuture<Void> answer = new CompletableFuture<>();
                later.add(
                        () -> {
                            underWay.decrementAndGet();
                            deltas.values().forEach(counts -> counts.values().forEach(stored::addAndGet));
                            answer.complete(null);
                        },
                        () -> {
                            underWay.decrementAndGet();
                            answer.completeExceptionally(new StorageException("refused", null, null, null));
                        });
                return answer;
            }
        }

        /** Something is counted. */
        public void count() {
            counted.incrementAndGet();
            counters.add(Counter.PUSHED, 1);
        }

        /** The time of a flush comes. */
        public void pass() {
            clock.advance(Duration.ofMillis(100));
            Runnable timer = clock.due();
            if (timer != null) {
                timer.run();
            }
        }

        /** The store answers. */
        public void answer() {
            later.answer().run();
        }

        /** The store refuses. */
        public void refuse() {
            later.failure().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.unwatched(this::quiet);
        }

        private void quiet() {
            Fakes.settle(clock, later);
            clock.advance(Duration.ofSeconds(5));
            Fakes.settle(clock, later);
            Fakes.expect(wrong.isEmpty(), "one flush at a time");
            Fakes.expect(stored.get() == counted.get(), "all of " + counted + " are stored once, and not " + stored);
        }
    }

    /** Askers, and a store that answers later when it is asked for queue 0. Queues with odd numbers are paused. */
    public static final class Questions {
        private final Fakes.Clock clock = new Fakes.Clock();
        private final Fakes.Later later = new Fakes.Later();
        private final AtomicInteger underWay = new AtomicInteger();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
        private final StatsHub hub = new StatsHub(Fakes.context(clock, 10, Runnable::run), new SlowFlags());

        private record Asked(int queue, CompletableFuture<Boolean> answer) {}

        private final class SlowFlags extends FakePlugins.NoStats {
            @Override
            public CompletionStage<Set<String>> paused(Collection<String> queues) {
                if (underWay.incrementAndGet() > 1) {
                    wrong.add("two at a time");
                }
                Set<String> paused = queues.contains("1") ? Set.of("1") : Set.of();
                if (!queues.contains("0")) {
                    underWay.decrementAndGet();
                    return CompletableFuture.completedFuture(paused);
                }
                CompletableFuture<Set<String>> answer = new CompletableFuture<>();
                later.add(
                        () -> {
                            underWay.decrementAndGet();
                            answer.complete(paused);
                        },
                        () -> {});
                return answer;
            }
        }

        /** Somebody wants to know. */
        public void ask(int queue) {
            asked.add(new Asked(queue, hub.paused(String.valueOf(queue))));
        }

        /** The store answers. */
        public void answer() {
            later.answer().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.unwatched(this::quiet);
        }

        private void quiet() {
            Fakes.settle(clock, later);
            Fakes.expect(wrong.isEmpty(), "one question at a time");
            for (Asked question : asked) {
                Fakes.expect(question.answer().isDone(), "queue " + question.queue() + " is answered");
                Fakes.expect(
                        question.answer().join() == (question.queue() % 2 != 0),
                        "queue " + question.queue() + " is answered with its flag");
            }
        }
    }
}

package dev.jono.internal;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Questions for paused flags: one to the store at a time, and each is answered, with its own queue's flag. */
final class StatsHubModelTest {
    @Test
    void everyQuestionIsAnswered() {
        Fakes.options(20, 400).check(Model.class);
    }

    /** Askers, and a store that answers later when it is asked for queue 0. Queues with odd numbers are paused. */
    public static final class Model {
        private final Fakes.Clock clock = new Fakes.Clock();
        private final Fakes.Later later = new Fakes.Later();
        private final AtomicInteger underWay = new AtomicInteger();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
        private final StatsHub hub = new StatsHub(Fakes.context(clock, 10, Runnable::run), new Slow());

        private record Asked(int queue, CompletableFuture<Boolean> answer) {}

        private final class Slow extends Fakes.Flags {
            @Override
            public CompletionStage<Set<String>> paused(Collection<String> queues) {
                if (underWay.incrementAndGet() > 1) {
                    wrong.add("two at a time");
                }
                Set<String> paused = new LinkedHashSet<>(queues);
                paused.removeIf(queue -> Integer.parseInt(queue) % 2 == 0);
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
        @Operation
        public void ask(@Param(gen = IntGen.class, conf = "0:2") int queue) {
            asked.add(new Asked(queue, hub.paused(String.valueOf(queue))));
        }

        /** The store answers. */
        @Operation
        public void answer() {
            later.answer().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
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

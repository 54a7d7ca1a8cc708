package dev.jono.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.StorageException;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.runtime.EngineContext;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Natural batching: each call ends once, in order, with no more batches under way than allowed, and none is forgotten. */
@Timeout(300) // The checker spins: it is slow on a busy machine.
@Tag("model")
final class LaneModelTest {
    private static final int THREADS = 8;

    /** The numbers are the callers. The storage is slow with each caller's first call, third call, and so on. */
    private static final String[] SCENARIOS = {
        "| push:0 | push:1",
        "push:2 | push:0, push:0 | answer, answer",
        "push:2 | withdraw:0 | answer",
        "push:2, push:0 | refuse | push:1",
        "push:2 | offer:0, offer:0 | answer, offer:1",
        "push:2, push:0, push:0, push:0, answer | refuse | push:1, answer"
    };

    @Test
    void oneBatchAtATime() {
        Fakes.check(OneAtATime.class, SCENARIOS);
    }

    @Test
    void twoBatchesAtATime() {
        Fakes.check(TwoAtATime.class, SCENARIOS);
    }

    /** More batches than one thread sends for others: the sending goes from hand to hand, and is not dropped. */
    @Test
    void theSendingIsHandedOver() throws Exception {
        int calls = 300;
        ExecutorService drivers = Executors.newFixedThreadPool(2);
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        try {
            Calls lane = new Calls(Fakes.context(new Fakes.Clock(), 3, drivers), 1, call -> false);
            CountDownLatch start = new CountDownLatch(1);
            CountDownLatch submitted = new CountDownLatch(THREADS);
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                callers.execute(() -> {
                    try {
                        start.await();
                        for (int number = 0; number < calls; number++) {
                            lane.submitInternal(lane.call(thread, number));
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        submitted.countDown();
                    }
                });
            }
            start.countDown();
            assertThat(submitted.await(20, TimeUnit.SECONDS)).isTrue();
            // A hand-over may be under way: the thread that took it over ends when nothing is left.
            drivers.shutdown();
            assertThat(drivers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
            lane.check();
            assertThat(lane.all.size()).isEqualTo(THREADS * calls + 1);
        } finally {
            drivers.shutdownNow();
            callers.shutdownNow();
        }
    }

    /** What the checker runs with one batch under way at most. */
    public static final class OneAtATime extends Model {
        /** As the checker makes it. */
        public OneAtATime() {
            super(1);
        }
    }

    /** What the checker runs with two. */
    public static final class TwoAtATime extends Model {
        /** As the checker makes it. */
        public TwoAtATime() {
            super(2);
        }
    }

    /** Callers of a lane, and a storage that answers some batches at once and others later. */
    public abstract static class Model {
        private final Fakes.Clock clock = new Fakes.Clock();
        private final Calls lane;
        private final int[] numbers = new int[THREADS];

        Model(int maxInFlight) {
            lane = new Calls(
                    Fakes.context(clock, 2, task -> {
                        throw new AssertionError("so few calls are not handed over");
                    }),
                    maxInFlight,
                    call -> call.number % 2 == 0);
        }

        private TestCall next(int thread) {
            return lane.call(thread, numbers[thread]++);
        }

        /** One that is never refused. */
        public void push(int thread) {
            lane.submitInternal(next(thread));
        }

        /** One that is refused when two are waiting. */
        public void offer(int thread) {
            lane.submitAsync(next(thread), new Lane.Bounds(2, 1000, Fakes.TIMEOUT));
        }

        /** One whose caller changes its mind. */
        public void withdraw(int thread) {
            TestCall call = next(thread);
            lane.submitInternal(call);
            if (lane.withdraw(call)) {
                call.withdrawn.set(true);
                call.ended.incrementAndGet();
            }
        }

        /** The storage answers. */
        public void answer() {
            lane.later.answer().run();
        }

        /** The storage refuses a whole batch, whose calls then travel alone. */
        public void refuse() {
            lane.later.failure().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.unwatched(this::quiet);
        }

        private void quiet() {
            Fakes.settle(clock, lane.later);
            lane.check();
        }
    }

    static final class TestCall extends BatchedCall {
        final int thread;
        final int number;
        final AtomicInteger ended = new AtomicInteger();
        final AtomicInteger sent = new AtomicInteger();
        final AtomicBoolean withdrawn = new AtomicBoolean();

        TestCall(int thread, int number) {
            super(1, 1);
            this.thread = thread;
            this.number = number;
        }

        @Override
        protected void fail(RuntimeException failure) {
            ended.incrementAndGet();
        }

        @Override
        public String toString() {
            return thread + "/" + number;
        }
    }

    /** Which batches are answered later. */
    interface Slow {
        boolean isSlow(TestCall first);
    }

    private static final class Calls extends Lane<TestCall, Long> {
        final Queue<TestCall> all = new ConcurrentLinkedQueue<>();
        final Fakes.Later later = new Fakes.Later();
        private final Queue<TestCall> done = new ConcurrentLinkedQueue<>();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final AtomicInteger underWay = new AtomicInteger();
        private final int most;
        private final Slow slow;

        Calls(EngineContext context, int maxInFlight, Slow slow) {
            super(context, Fakes.QUEUE, "test", maxInFlight, Fakes.TIMEOUT);
            this.most = maxInFlight;
            this.slow = slow;
        }

        TestCall call(int thread, int number) {
            TestCall call = new TestCall(thread, number);
            all.add(call);
            return call;
        }

        @Override
        protected CompletionStage<Long> send(List<TestCall> batch, String token) {
            if (underWay.incrementAndGet() > most) {
                wrong.add("too many batches under way: " + batch);
            }
            if (!slow.isSlow(batch.get(0))) {
                answered(batch);
                return CompletableFuture.completedFuture(1L);
            }
            CompletableFuture<Long> answer = new CompletableFuture<>();
            later.add(
                    () -> {
                        answered(batch);
                        answer.complete(1L);
                    },
                    () -> {
                        underWay.decrementAndGet();
                        answer.completeExceptionally(new StorageException("refused", queue, null, null));
                    });
            return answer;
        }

        private void answered(List<TestCall> batch) {
            done.addAll(batch);
            underWay.decrementAndGet();
        }

        @Override
        protected void complete(List<TestCall> batch, Long answer, boolean repeated) {
            batch.forEach(call -> call.ended.incrementAndGet());
        }

        @Override
        protected long storageMillis(Long answer) {
            return answer;
        }

        void check() {
            Fakes.expect(wrong.isEmpty(), "no more batches under way than allowed");
            Fakes.expect(underWay.get() == 0 && awaitQuiet(context.clock.nanos()), "quiet");
            for (TestCall call : all) {
                Fakes.expect(call.ended.get() == 1, call + " ended once, and not " + call.ended.get() + " times");
            }
            int[] latest = new int[THREADS];
            Arrays.fill(latest, -1);
            for (TestCall call : done) {
                Fakes.expect(!call.withdrawn.get(), call + " is not sent, for it was withdrawn");
                Fakes.expect(call.sent.incrementAndGet() == 1, call + " is done once");
                Fakes.expect(most > 1 || call.number > latest[call.thread], call + " keeps its place among " + done);
                latest[call.thread] = call.number;
            }
            // Nothing is accounted for any more: there is room for one where there is room for nothing else.
            TestCall last = call(0, 1_000_000);
            submitAsync(last, new Bounds(0, 0, Fakes.TIMEOUT));
            later.answer().run();
            Fakes.expect(done.contains(last), "an empty lane has room");
        }
    }
}

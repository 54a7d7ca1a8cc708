package dev.jono.cli;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

/** The benchmarks within one process. Filling queues and checking results is not measured. */
final class BenchOps {
    /** A queue that returns no message for this time is taken as empty. */
    static final Duration IDLE_LIMIT = Duration.ofSeconds(5);

    private static final int FILL_BATCH = 1_000;

    private final QueueFactory jono;
    private final BenchPlan plan;
    private final SharedClock clock = SharedClock.start();

    BenchOps(QueueFactory jono, BenchPlan plan) {
        this.jono = jono;
        this.plan = plan;
    }

    BenchResult push(MessageQueue<byte[]> queue) throws InterruptedException {
        BenchTally tally = new BenchTally(plan.messages());
        AtomicInteger next = new AtomicInteger();
        new InFlight(plan.callers()).run(new InFlight.Calls() {
            @Override
            public boolean more() {
                return next.get() < plan.messages();
            }

            @Override
            public CompletableFuture<?> next() {
                long start = clock.micros();
                return send(queue, plan, clock, next).thenRun(() -> tally.addLatency(clock.micros() - start));
            }
        });
        for (List<Message<byte[]>> some = queue.pop(FILL_BATCH, Duration.ZERO);
                !some.isEmpty();
                some = queue.pop(FILL_BATCH, Duration.ZERO)) {
            some.forEach(message -> tally.addNumber(BenchPlan.number(message.payload())));
        }
        return tally.result("push", jono.backend(), plan);
    }

    /** Pushes the next batch of messages. */
    static CompletableFuture<?> send(
            MessageQueue<byte[]> queue, BenchPlan plan, SharedClock clock, AtomicInteger next) {
        int first = next.get();
        int count = Math.min(plan.batch(), plan.messages() - first);
        next.set(first + count);
        if (count == 1) {
            return queue.pushAsync(plan.payload(first, clock.micros()));
        }
        List<byte[]> payloads = new ArrayList<>(count);
        for (int i = first; i < first + count; i++) {
            payloads.add(plan.payload(i, clock.micros()));
        }
        return queue.pushAllAsync(payloads, dev.jono.PushOptions.none());
    }

    private void fill(MessageQueue<byte[]> queue) {
        for (int from = 0; from < plan.messages(); from += FILL_BATCH) {
            List<byte[]> payloads = new ArrayList<>(FILL_BATCH);
            for (int i = from; i < Math.min(from + FILL_BATCH, plan.messages()); i++) {
                payloads.add(plan.payload(i, 0));
            }
            queue.pushAll(payloads);
        }
    }

    BenchResult pop(MessageQueue<byte[]> queue) throws InterruptedException {
        fill(queue);
        BenchTally tally = new BenchTally(plan.messages());
        take(queue, tally, plan.callers(), () -> true, () -> {
            long start = clock.micros();
            return queue.popAsync(plan.batch(), IDLE_LIMIT).thenApply(messages -> {
                if (!messages.isEmpty()) {
                    tally.addLatency(clock.micros() - start);
                    messages.forEach(message -> tally.addNumber(BenchPlan.number(message.payload())));
                }
                return !messages.isEmpty();
            });
        });
        tally.addRemaining(queue.counts().total());
        return tally.result("pop", jono.backend(), plan);
    }

    BenchResult reserveAck(MessageQueue<byte[]> queue) throws InterruptedException {
        fill(queue);
        BenchTally tally = new BenchTally(plan.messages());
        take(queue, tally, plan.callers(), () -> true, () -> {
            long start = clock.micros();
            return queue.reserveAsync(plan.batch(), IDLE_LIMIT, ReserveOptions.none())
                    .thenCompose(messages -> ack(queue, messages).thenApply(done -> {
                        if (!messages.isEmpty()) {
                            tally.addLatency(clock.micros() - start);
                            messages.forEach(message -> tally.addNumber(BenchPlan.number(message.payload())));
                        }
                        return !messages.isEmpty();
                    }));
        });
        tally.addRemaining(queue.counts().total());
        return tally.result("reserve-ack", jono.backend(), plan);
    }

    private static CompletableFuture<Void> ack(MessageQueue<byte[]> queue, List<Reservation<byte[]>> messages) {
        return switch (messages.size()) {
            case 0 -> CompletableFuture.completedFuture(null);
            case 1 -> messages.get(0).ackAsync();
            default -> queue.ackAllAsync(messages);
        };
    }

    /** A call that takes messages. The future returns whether it got any. */
    interface Take {
        CompletableFuture<Boolean> call();
    }

    /**
     * Takes messages until all have arrived, or until no more arrive.
     *
     * @param over returns whether the producer has ended
     */
    static void take(MessageQueue<byte[]> queue, BenchTally tally, int callers, BooleanSupplier over, Take take)
            throws InterruptedException {
        AtomicBoolean exhausted = new AtomicBoolean();
        new InFlight(callers).run(new InFlight.Calls() {
            @Override
            public boolean more() {
                return !exhausted.get() && !tally.isComplete();
            }

            @Override
            public CompletableFuture<?> next() {
                boolean wasOver = over.getAsBoolean();
                return take.call().thenAccept(any -> {
                    if (tally.isComplete()) {
                        queue.cancelAll();
                    } else if (!any && wasOver) {
                        exhausted.set(true);
                    }
                });
            }
        });
    }

    /** Measures the time from the first stage to the sink. The number of callers is the concurrency of both. */
    BenchResult pipeline(MessageQueue<byte[]> source, MessageQueue<byte[]> target) throws InterruptedException {
        fill(source);
        BenchTally tally = new BenchTally(plan.messages());
        AtomicLongArray left = new AtomicLongArray(plan.messages());
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger arrived = new AtomicInteger();
        Pipeline pipeline = jono.pipeline("bench")
                .concurrency(plan.callers())
                .direct(source, target, (payload, message) -> {
                    left.set(BenchPlan.number(payload), clock.micros());
                    return Outcome.next();
                })
                .sink(target, (payload, message) -> {
                    int number = BenchPlan.number(payload);
                    tally.addLatency(clock.micros() - left.get(number));
                    tally.addNumber(number);
                    arrived.incrementAndGet();
                    if (tally.isComplete()) {
                        done.countDown();
                    }
                    return Outcome.next();
                })
                .start();
        try (pipeline) {
            int before = -1;
            while (!done.await(IDLE_LIMIT.toMillis(), TimeUnit.MILLISECONDS) && before != arrived.get()) {
                before = arrived.get();
            }
        }
        tally.addRemaining(source.counts().total() + target.counts().total());
        BenchPlan single = new BenchPlan(plan.callers(), 1, plan.size(), plan.messages(), plan.rate());
        return tally.result("pipeline", jono.backend(), single);
    }
}

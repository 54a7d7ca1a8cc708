package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.Contender.Step;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RBatch;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RFuture;
import org.redisson.api.RQueue;
import org.redisson.api.RQueueAsync;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * Redisson's {@code RBlockingQueue}. It has no reservation; what takes its place is the usual way: a message is moved to a
 * list of those in work, and removed from there when done (nothing brings back what a dead consumer held). At its best:
 * batches of 100 to push, {@code poll(100)} to pop, 64 calls in flight otherwise.
 */
final class RedissonDriver implements Driver {
    private static final int BATCH = 100;
    private static final int IN_FLIGHT = 64;
    private static final int CALLERS = 4;

    private final RedissonClient client;
    private final RBlockingQueue<String> queue;
    private final RQueue<String> working;
    private final Callers callers = new Callers();
    private final Pending pending = new Pending(1);

    RedissonDriver(Map<String, String> settings) {
        Config config = new Config();
        config.useSingleServer().setAddress(Drivers.need(settings, "url"));
        config.setCodec(StringCodec.INSTANCE);
        this.client = Redisson.create(config);
        String name = Drivers.need(settings, "queue");
        this.queue = client.getBlockingQueue(name);
        this.working = client.getQueue(name + ":working");
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        if (width == BEST) {
            callers.sum(CALLERS, () -> {
                int count = payloads.count();
                for (int from = next.getAndAdd(BATCH); from < count; from = next.getAndAdd(BATCH)) {
                    RBatch batch = client.createBatch();
                    RQueueAsync<String> to = batch.getQueue(queue.getName());
                    for (int i = from; i < Math.min(from + BATCH, count); i++) {
                        RFuture<Boolean> unused = to.offerAsync(payloads.text(i));
                    }
                    batch.execute();
                }
                return 0L;
            });
        } else if (width == 1) {
            for (int i = 0; i < payloads.count(); i++) {
                queue.put(payloads.text(i));
            }
        } else {
            Callers.inFlight(
                    width,
                    payloads.count(),
                    () -> queue.offerAsync(payloads.text(next.getAndIncrement()))
                            .toCompletableFuture());
        }
    }

    @Override
    public void send(String text) throws Exception {
        pending.future(queue.offerAsync(text));
    }

    @Override
    public void flush() throws Exception {
        pending.await();
    }

    @Override
    public void take(Step step, Intake intake, int width) throws Exception {
        if (step == Step.POP && width == BEST) {
            callers.sum(CALLERS, () -> {
                while (intake.open()) {
                    List<String> got = queue.poll(BATCH);
                    got.forEach(intake::arrived);
                    intake.settled(got.size());
                    if (got.isEmpty()) {
                        pop(queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS), intake);
                    }
                }
                return 0L;
            });
        } else if (width == 1) {
            while (intake.open()) {
                one(step, intake);
            }
        } else {
            CompletableFuture<?>[] chains = new CompletableFuture<?>[width == BEST ? IN_FLIGHT : width];
            for (int i = 0; i < chains.length; i++) {
                chains[i] = new CompletableFuture<Void>();
                next(step, intake, chains[i]);
            }
            CompletableFuture.allOf(chains).get();
        }
    }

    private static void pop(@Nullable String text, Intake intake) {
        if (text != null) {
            intake.arrived(text);
            intake.settled(1);
        }
    }

    private void one(Step step, Intake intake) throws InterruptedException {
        if (step == Step.POP) {
            pop(queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS), intake);
            return;
        }
        @Nullable String text = queue.pollLastAndOfferFirstTo(working.getName(), WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (text != null) {
            intake.arrived(text);
            working.remove(text);
            intake.settled(1);
        }
    }

    private void next(Step step, Intake intake, CompletableFuture<?> chain) {
        if (!intake.open()) {
            chain.complete(null);
            return;
        }
        CompletableFuture<?> call = step == Step.POP
                ? queue.pollAsync(WAIT_MILLIS, TimeUnit.MILLISECONDS)
                        .thenAccept(text -> pop(text, intake))
                        .toCompletableFuture()
                : queue.pollLastAndOfferFirstToAsync(working.getName(), WAIT_MILLIS, TimeUnit.MILLISECONDS)
                        .thenCompose(text -> removed(text, intake))
                        .toCompletableFuture();
        call.whenComplete((done, failure) -> {
            if (failure == null) {
                next(step, intake, chain);
            } else {
                chain.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<Void> removed(@Nullable String text, Intake intake) {
        if (text == null) {
            return CompletableFuture.completedFuture(null);
        }
        intake.arrived(text);
        return working.removeAsync(text).thenRun(() -> intake.settled(1)).toCompletableFuture();
    }

    @Override
    public void close() {
        callers.close();
        pending.close();
        client.shutdown();
    }
}

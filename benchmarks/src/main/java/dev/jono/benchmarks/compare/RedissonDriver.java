package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.QueueClient.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
 * Drives Redisson's {@code RBlockingQueue}. It has no reservations, so the driver uses the common substitute: it moves
 * a message to a second list, and removes it there when it is done. Messages of a consumer that has died stay in that
 * list. (Redisson's queue with reservations, {@code RReliableQueue}, is only in the paid edition.)
 *
 * <p>At its best, four callers push batches of 100, pop with {@code poll(100)}, reserve by a batch of 100 moves and ack
 * by a batch of 100 removals. With the setting {@code calls}, this many calls for one message each are in flight
 * instead.
 */
final class RedissonDriver implements Driver {
    private static final int BATCH = 100;
    private static final int CALLERS = 4;

    private final int best;
    private final RedissonClient client;
    private final RBlockingQueue<String> queue;
    private final RQueue<String> working;
    private final Callers callers = new Callers();
    private final SendWindow sends = new SendWindow(1);
    private List<RBlockingQueue<String>> queues = List.of();

    RedissonDriver(Map<String, String> settings) {
        this.best = Drivers.number(settings, "calls", BEST);
        Config config = new Config();
        config.useSingleServer().setAddress(Drivers.need(settings, "url"));
        config.setCodec(StringCodec.INSTANCE);
        this.client = Redisson.create(config);
        String name = Drivers.need(settings, "queue");
        this.queue = client.getBlockingQueue(name);
        this.working = client.getQueue(name + ":working");
    }

    @Override
    public void push(Payloads payloads, int requested) throws Exception {
        int width = requested == BEST ? best : requested;
        AtomicInteger next = new AtomicInteger();
        if (width == BEST) {
            callers.sum(CALLERS, () -> {
                int count = payloads.count();
                for (int from = next.getAndAdd(BATCH); from < count; from = next.getAndAdd(BATCH)) {
                    int end = Math.min(from + BATCH, count);
                    offers(IntStream.range(from, end).mapToObj(payloads::text).toList())
                            .execute();
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

    private RBatch offers(List<String> texts) {
        RBatch batch = client.createBatch();
        RQueueAsync<String> to = batch.getQueue(queue.getName());
        for (String text : texts) {
            RFuture<Boolean> unused = to.offerAsync(text);
        }
        return batch;
    }

    @Override
    public void send(String text) throws Exception {
        sends.future(1, () -> queue.offerAsync(text));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        sends.future(texts.size(), () -> offers(texts).executeAsync());
    }

    @Override
    public void flush() throws Exception {
        sends.await();
    }

    @Override
    public void openQueues(int count) {
        queues = IntStream.range(0, count)
                .mapToObj(i -> client.<String>getBlockingQueue(queue.getName() + "-" + i))
                .toList();
    }

    @Override
    public void pushToQueues(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callers.inFlight(width, payloads.count(), () -> {
            int index = next.getAndIncrement();
            return queues.get(index % queues.size())
                    .offerAsync(payloads.text(index))
                    .toCompletableFuture();
        });
    }

    /**
     * Polls the queues in turn with {@code width} calls in flight, because a blocking call per queue would need a
     * connection each.
     */
    @Override
    public void takeFromQueues(Step step, TakeProgress progress, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        chains(width, progress, () -> {
            RBlockingQueue<String> from = queues.get(Math.floorMod(next.getAndIncrement(), queues.size()));
            return step == Step.POP
                    ? from.pollAsync().thenAccept(text -> pop(text, progress)).toCompletableFuture()
                    : from.pollLastAndOfferFirstToAsync(working.getName())
                            .thenCompose(text -> removed(text, progress))
                            .toCompletableFuture();
        });
    }

    @Override
    public void take(Step step, TakeProgress progress, int requested) throws Exception {
        int width = requested == BEST ? best : requested;
        if (width == BEST) {
            callers.sum(CALLERS, () -> {
                while (progress.isOpen()) {
                    if (step == Step.POP ? batchPopped(progress) : batchReserved(progress)) {
                        continue;
                    }
                    one(step, progress);
                }
                return 0L;
            });
        } else if (width == 1) {
            while (progress.isOpen()) {
                one(step, progress);
            }
        } else {
            chains(
                    width,
                    progress,
                    () -> step == Step.POP
                            ? queue.pollAsync(WAIT_MILLIS, TimeUnit.MILLISECONDS)
                                    .thenAccept(text -> pop(text, progress))
                                    .toCompletableFuture()
                            : queue.pollLastAndOfferFirstToAsync(working.getName(), WAIT_MILLIS, TimeUnit.MILLISECONDS)
                                    .thenCompose(text -> removed(text, progress))
                                    .toCompletableFuture());
        }
    }

    /** Keeps this many calls in flight: the end of a call starts the next one. */
    private static void chains(int count, TakeProgress progress, Supplier<CompletableFuture<?>> call) throws Exception {
        CompletableFuture<?>[] chains = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            chains[i] = new CompletableFuture<Void>();
            next(call, progress, chains[i]);
        }
        CompletableFuture.allOf(chains).get();
    }

    /** Pops a batch; returns false if the queue was empty. */
    private boolean batchPopped(TakeProgress progress) {
        List<String> got = queue.poll(BATCH);
        got.forEach(progress::arrived);
        progress.settled(got.size());
        return !got.isEmpty();
    }

    /** Reserves and acks a batch; returns false if the queue was empty. */
    private boolean batchReserved(TakeProgress progress) {
        RBatch moves = client.createBatch();
        RQueueAsync<String> from = moves.getQueue(queue.getName());
        for (int i = 0; i < BATCH; i++) {
            RFuture<String> unused = from.pollLastAndOfferFirstToAsync(working.getName());
        }
        List<String> got = new ArrayList<>();
        for (@Nullable Object text : moves.execute().getResponses()) {
            if (text != null) {
                progress.arrived((String) text);
                got.add((String) text);
            }
        }
        if (got.isEmpty()) {
            return false;
        }
        RBatch removals = client.createBatch();
        RQueueAsync<String> held = removals.getQueue(working.getName());
        got.forEach(text -> {
            RFuture<Boolean> unused = held.removeAsync(text);
        });
        removals.execute();
        progress.settled(got.size());
        return true;
    }

    private static void pop(@Nullable String text, TakeProgress progress) {
        if (text != null) {
            progress.arrived(text);
            progress.settled(1);
        }
    }

    private void one(Step step, TakeProgress progress) throws InterruptedException {
        if (step == Step.POP) {
            pop(queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS), progress);
            return;
        }
        @Nullable String text = queue.pollLastAndOfferFirstTo(working.getName(), WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (text != null) {
            progress.arrived(text);
            working.remove(text);
            progress.settled(1);
        }
    }

    private static void next(Supplier<CompletableFuture<?>> calls, TakeProgress progress, CompletableFuture<?> chain) {
        if (!progress.isOpen()) {
            chain.complete(null);
            return;
        }
        calls.get().whenComplete((done, failure) -> {
            if (failure == null) {
                next(calls, progress, chain);
            } else {
                chain.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<Void> removed(@Nullable String text, TakeProgress progress) {
        if (text == null) {
            return CompletableFuture.completedFuture(null);
        }
        progress.arrived(text);
        return working.removeAsync(text).thenRun(() -> progress.settled(1)).toCompletableFuture();
    }

    @Override
    public void close() {
        callers.close();
        sends.close();
        client.shutdown();
    }
}

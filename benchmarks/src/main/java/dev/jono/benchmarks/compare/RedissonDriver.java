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
 * Redisson's {@code RBlockingQueue}. It has no reservation; what takes its place is the usual way: a message is moved to a
 * list of those in work, and removed from there when done (nothing brings back what a dead consumer held; the queue that has
 * reservations, {@code RReliableQueue}, is in the paid edition only). At its best, by four callers: pushed in a batch of 100,
 * popped by {@code poll(100)}, reserved by a batch of 100 moves and acknowledged by a batch of 100 removals. With the setting
 * {@code calls} it is driven by so many calls for one message each in flight instead.
 */
final class RedissonDriver implements Driver {
    private static final int BATCH = 100;
    private static final int CALLERS = 4;

    private final int best;
    private final RedissonClient client;
    private final RBlockingQueue<String> queue;
    private final RQueue<String> working;
    private final Callers callers = new Callers();
    private final SendWindow pending = new SendWindow(1);
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
    public void push(Payloads payloads, int wanted) throws Exception {
        int width = wanted == BEST ? best : wanted;
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
        pending.future(1, () -> queue.offerAsync(text));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        pending.future(texts.size(), () -> offers(texts).executeAsync());
    }

    @Override
    public void flush() throws Exception {
        pending.await();
    }

    @Override
    public void queues(int count) {
        queues = IntStream.range(0, count)
                .mapToObj(i -> client.<String>getBlockingQueue(queue.getName() + "-" + i))
                .toList();
    }

    @Override
    public void pushOver(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callers.inFlight(width, payloads.count(), () -> {
            int place = next.getAndIncrement();
            return queues.get(place % queues.size())
                    .offerAsync(payloads.text(place))
                    .toCompletableFuture();
        });
    }

    /** A wait at each would want a connection each: so many calls in flight look at one after the other instead. */
    @Override
    public void takeOver(Step step, TakeProgress intake, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        chains(width, intake, () -> {
            RBlockingQueue<String> from = queues.get(Math.floorMod(next.getAndIncrement(), queues.size()));
            return step == Step.POP
                    ? from.pollAsync().thenAccept(text -> pop(text, intake)).toCompletableFuture()
                    : from.pollLastAndOfferFirstToAsync(working.getName())
                            .thenCompose(text -> removed(text, intake))
                            .toCompletableFuture();
        });
    }

    @Override
    public void take(Step step, TakeProgress intake, int wanted) throws Exception {
        int width = wanted == BEST ? best : wanted;
        if (width == BEST) {
            callers.sum(CALLERS, () -> {
                while (intake.open()) {
                    if (step == Step.POP ? batchPopped(intake) : batchReserved(intake)) {
                        continue;
                    }
                    one(step, intake);
                }
                return 0L;
            });
        } else if (width == 1) {
            while (intake.open()) {
                one(step, intake);
            }
        } else {
            chains(
                    width,
                    intake,
                    () -> step == Step.POP
                            ? queue.pollAsync(WAIT_MILLIS, TimeUnit.MILLISECONDS)
                                    .thenAccept(text -> pop(text, intake))
                                    .toCompletableFuture()
                            : queue.pollLastAndOfferFirstToAsync(working.getName(), WAIT_MILLIS, TimeUnit.MILLISECONDS)
                                    .thenCompose(text -> removed(text, intake))
                                    .toCompletableFuture());
        }
    }

    /** So many calls in flight, each end beginning the next. */
    private static void chains(int count, TakeProgress intake, Supplier<CompletableFuture<?>> call) throws Exception {
        CompletableFuture<?>[] chains = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            chains[i] = new CompletableFuture<Void>();
            next(call, intake, chains[i]);
        }
        CompletableFuture.allOf(chains).get();
    }

    /** False where nothing lay there. */
    private boolean batchPopped(TakeProgress intake) {
        List<String> got = queue.poll(BATCH);
        got.forEach(intake::arrived);
        intake.settled(got.size());
        return !got.isEmpty();
    }

    private boolean batchReserved(TakeProgress intake) {
        RBatch moves = client.createBatch();
        RQueueAsync<String> from = moves.getQueue(queue.getName());
        for (int i = 0; i < BATCH; i++) {
            RFuture<String> unused = from.pollLastAndOfferFirstToAsync(working.getName());
        }
        List<String> got = new ArrayList<>();
        for (@Nullable Object text : moves.execute().getResponses()) {
            if (text != null) {
                intake.arrived((String) text);
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
        intake.settled(got.size());
        return true;
    }

    private static void pop(@Nullable String text, TakeProgress intake) {
        if (text != null) {
            intake.arrived(text);
            intake.settled(1);
        }
    }

    private void one(Step step, TakeProgress intake) throws InterruptedException {
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

    private static void next(Supplier<CompletableFuture<?>> calls, TakeProgress intake, CompletableFuture<?> chain) {
        if (!intake.open()) {
            chain.complete(null);
            return;
        }
        calls.get().whenComplete((done, failure) -> {
            if (failure == null) {
                next(calls, intake, chain);
            } else {
                chain.completeExceptionally(failure);
            }
        });
    }

    private CompletableFuture<Void> removed(@Nullable String text, TakeProgress intake) {
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

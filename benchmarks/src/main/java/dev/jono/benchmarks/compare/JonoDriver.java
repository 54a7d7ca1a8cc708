package dev.jono.benchmarks.compare;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.QueueClient.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Drives Jono on the backend of a URL, with its default signals and stats. At its best: lists, by a few callers. The
 * settings {@code list} and {@code callers} give the length of a list and the number of callers.
 */
final class JonoDriver implements Driver {
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final QueueFactory jono;
    private final MessageQueue<String> queue;
    private final int list;
    private final int callerCount;
    private final Callers callers = new Callers();
    private final SendWindow sends = new SendWindow(1);
    private final String name;
    private List<MessageQueue<String>> queues = List.of();

    JonoDriver(Map<String, String> settings) {
        this.jono = QueueFactory.connect(Drivers.need(settings, "url"));
        this.name = Drivers.need(settings, "queue");
        this.queue = jono.queue(name, Codec.string());
        this.list = Drivers.number(settings, "list", 100);
        this.callerCount = Drivers.number(settings, "callers", 4);
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        if (width == BEST) {
            List<String> all = payloads.all();
            callers.sum(callerCount, () -> {
                for (int from = next.getAndAdd(list); from < all.size(); from = next.getAndAdd(list)) {
                    queue.pushAll(all.subList(from, Math.min(from + list, all.size())));
                }
                return 0L;
            });
        } else if (width == 1) {
            for (int i = 0; i < payloads.count(); i++) {
                queue.push(payloads.text(i));
            }
        } else {
            Callers.inFlight(width, payloads.count(), () -> queue.pushAsync(payloads.text(next.getAndIncrement())));
        }
    }

    @Override
    public void send(String text) throws Exception {
        sends.future(1, () -> queue.pushAsync(text));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        sends.future(texts.size(), () -> queue.pushAllAsync(texts, PushOptions.none()));
    }

    @Override
    public void flush() throws Exception {
        sends.await();
    }

    @Override
    public void take(Step step, TakeProgress progress, int width) throws Exception {
        progress.whenStopped().thenRun(queue::cancelAll);
        if (width == BEST) {
            callers.sum(callerCount, () -> {
                while (progress.isOpen()) {
                    lists(step, progress);
                }
                return 0L;
            });
        } else if (width == 1) {
            while (progress.isOpen()) {
                one(step, progress);
            }
        } else {
            chains(List.of(queue), step, progress, width);
        }
    }

    @Override
    public void openQueues(int count) {
        if (queues.size() != count) {
            queues = IntStream.range(0, count)
                    .mapToObj(i -> jono.queue(name + "-" + i, Codec.string()))
                    .toList();
        }
    }

    @Override
    public void pushToQueues(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callers.inFlight(width, payloads.count(), () -> {
            int index = next.getAndIncrement();
            return queues.get(index % queues.size()).pushAsync(payloads.text(index));
        });
    }

    @Override
    public void takeFromQueues(Step step, TakeProgress progress, int width) throws Exception {
        progress.whenStopped().thenRun(() -> queues.forEach(MessageQueue::cancelAll));
        chains(queues, step, progress, Math.max(width, queues.size()));
    }

    /** Runs this many asynchronous consumers, each of which takes one message after the other. */
    private static void chains(List<MessageQueue<String>> from, Step step, TakeProgress progress, int count)
            throws Exception {
        CompletableFuture<?>[] chains = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            chains[i] = new CompletableFuture<Void>();
            next(from.get(i % from.size()), step, progress, chains[i]);
        }
        CompletableFuture.allOf(chains).get();
    }

    private void lists(Step step, TakeProgress progress) throws InterruptedException {
        if (step == Step.POP) {
            List<Message<String>> got = queue.pop(list, WAIT);
            got.forEach(message -> progress.arrived(message.payload()));
            progress.settled(got.size());
        } else {
            List<Reservation<String>> got = queue.reserve(list, WAIT);
            got.forEach(held -> progress.arrived(held.payload()));
            queue.ackAll(got);
            progress.settled(got.size());
        }
    }

    private void one(Step step, TakeProgress progress) throws InterruptedException {
        if (step == Step.POP) {
            queue.pop(WAIT).ifPresent(message -> {
                progress.arrived(message.payload());
                progress.settled(1);
            });
        } else {
            Optional<Reservation<String>> held = queue.reserve(WAIT);
            if (held.isPresent()) {
                progress.arrived(held.get().payload());
                held.get().ack();
                progress.settled(1);
            }
        }
    }

    private static void next(MessageQueue<String> queue, Step step, TakeProgress progress, CompletableFuture<?> chain) {
        if (!progress.isOpen()) {
            chain.complete(null);
            return;
        }
        CompletableFuture<?> call = step == Step.POP
                ? queue.popAsync(WAIT)
                        .thenAccept(got -> got.ifPresent(message -> {
                            progress.arrived(message.payload());
                            progress.settled(1);
                        }))
                : queue.reserveAsync(WAIT).thenCompose(got -> acked(got, progress));
        call.whenComplete((done, failure) -> {
            if (failure == null) {
                next(queue, step, progress, chain);
            } else {
                chain.completeExceptionally(failure);
            }
        });
    }

    private static CompletableFuture<Void> acked(Optional<Reservation<String>> got, TakeProgress progress) {
        if (got.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        progress.arrived(got.get().payload());
        return got.get().ackAsync().thenRun(() -> progress.settled(1));
    }

    @Override
    public void close() {
        callers.close();
        sends.close();
        jono.close();
    }
}

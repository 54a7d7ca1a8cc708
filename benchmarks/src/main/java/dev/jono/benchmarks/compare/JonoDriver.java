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

/** Jono on any backend that a URL names, with everything on. At its best: lists, by a few callers. */
final class JonoDriver implements Driver {
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final QueueFactory jono;
    private final MessageQueue<String> queue;
    private final int list;
    private final int pushers;
    private final int takers;
    private final Callers callers = new Callers();
    private final SendWindow pending = new SendWindow(1);
    private final String name;
    private List<MessageQueue<String>> queues = List.of();

    JonoDriver(Map<String, String> settings) {
        this.jono = QueueFactory.connect(Drivers.need(settings, "url"));
        this.name = Drivers.need(settings, "queue");
        this.queue = jono.queue(name, Codec.string());
        this.list = Drivers.number(settings, "list", 100);
        this.pushers = Drivers.number(settings, "pushers", 4);
        this.takers = Drivers.number(settings, "takers", 4);
    }

    @Override
    public void push(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        if (width == BEST) {
            List<String> all = payloads.all();
            callers.sum(pushers, () -> {
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
        pending.future(1, () -> queue.pushAsync(text));
    }

    @Override
    public void sendAll(List<String> texts) throws Exception {
        pending.future(texts.size(), () -> queue.pushAllAsync(texts, PushOptions.none()));
    }

    @Override
    public void flush() throws Exception {
        pending.await();
    }

    @Override
    public void take(Step step, TakeProgress intake, int width) throws Exception {
        intake.closed().thenRun(queue::cancelAll);
        if (width == BEST) {
            callers.sum(takers, () -> {
                while (intake.open()) {
                    lists(step, intake);
                }
                return 0L;
            });
        } else if (width == 1) {
            while (intake.open()) {
                one(step, intake);
            }
        } else {
            chains(List.of(queue), step, intake, width);
        }
    }

    @Override
    public void queues(int count) {
        if (queues.size() != count) {
            queues = IntStream.range(0, count)
                    .mapToObj(i -> jono.queue(name + "-" + i, Codec.string()))
                    .toList();
        }
    }

    @Override
    public void pushOver(Payloads payloads, int width) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callers.inFlight(width, payloads.count(), () -> {
            int place = next.getAndIncrement();
            return queues.get(place % queues.size()).pushAsync(payloads.text(place));
        });
    }

    @Override
    public void takeOver(Step step, TakeProgress intake, int width) throws Exception {
        intake.closed().thenRun(() -> queues.forEach(MessageQueue::cancelAll));
        chains(queues, step, intake, Math.max(width, queues.size()));
    }

    /** So many consumers, each of which begins anew when it is done. */
    private static void chains(List<MessageQueue<String>> from, Step step, TakeProgress intake, int count) throws Exception {
        CompletableFuture<?>[] chains = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            chains[i] = new CompletableFuture<Void>();
            next(from.get(i % from.size()), step, intake, chains[i]);
        }
        CompletableFuture.allOf(chains).get();
    }

    private void lists(Step step, TakeProgress intake) throws InterruptedException {
        if (step == Step.POP) {
            List<Message<String>> got = queue.pop(list, WAIT);
            got.forEach(message -> intake.arrived(message.payload()));
            intake.settled(got.size());
        } else {
            List<Reservation<String>> got = queue.reserve(list, WAIT);
            got.forEach(held -> intake.arrived(held.payload()));
            queue.ackAll(got);
            intake.settled(got.size());
        }
    }

    private void one(Step step, TakeProgress intake) throws InterruptedException {
        if (step == Step.POP) {
            queue.pop(WAIT).ifPresent(message -> {
                intake.arrived(message.payload());
                intake.settled(1);
            });
        } else {
            Optional<Reservation<String>> held = queue.reserve(WAIT);
            if (held.isPresent()) {
                intake.arrived(held.get().payload());
                held.get().ack();
                intake.settled(1);
            }
        }
    }

    private static void next(MessageQueue<String> queue, Step step, TakeProgress intake, CompletableFuture<?> chain) {
        if (!intake.open()) {
            chain.complete(null);
            return;
        }
        CompletableFuture<?> call = step == Step.POP
                ? queue.popAsync(WAIT)
                        .thenAccept(got -> got.ifPresent(message -> {
                            intake.arrived(message.payload());
                            intake.settled(1);
                        }))
                : queue.reserveAsync(WAIT).thenCompose(got -> acked(got, intake));
        call.whenComplete((done, failure) -> {
            if (failure == null) {
                next(queue, step, intake, chain);
            } else {
                chain.completeExceptionally(failure);
            }
        });
    }

    private static CompletableFuture<Void> acked(Optional<Reservation<String>> got, TakeProgress intake) {
        if (got.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        intake.arrived(got.get().payload());
        return got.get().ackAsync().thenRun(() -> intake.settled(1));
    }

    @Override
    public void close() {
        callers.close();
        pending.close();
        jono.close();
    }
}

package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Jono as a side of a comparison, with its default signals and stats, which are on the server of the queues. */
final class JonoClient implements QueueClient {
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** How it makes its calls. */
    enum CallMode {
        /** {@code width} asynchronous calls in flight, each for one message. */
        ASYNC,
        /** The same, with {@code ordered(false)}. */
        UNORDERED,
        /** {@code width} threads that make blocking calls for one message each; virtual on JDK 21 and newer. */
        THREADS,
        /** {@code listCallers} threads that make blocking calls for lists of {@code width} messages. */
        LISTS
    }

    private final QueueFactory jono;
    private final MessageQueue<String> queue;
    private final CallMode mode;
    private final int width;
    private final int listCallers;
    private final Callers callers = new Callers();

    JonoClient(String url, CallMode mode, int width, int listCallers) {
        this(url, "jono", mode, width, listCallers);
    }

    JonoClient(String url, String queue, CallMode mode, int width, int listCallers) {
        this.jono = QueueFactory.connect(url);
        this.queue = jono.queue(
                queue,
                Codec.string(),
                QueueOptions.builder().ordered(mode != CallMode.UNORDERED).build());
        this.mode = mode;
        this.width = width;
        this.listCallers = listCallers;
    }

    @Override
    public String queue() {
        return queue.name();
    }

    @Override
    public void run(Step step, NumberedMessages messages) throws Exception {
        switch (mode) {
            case ASYNC, UNORDERED -> inFlight(step, messages);
            case THREADS -> threads(step, messages);
            case LISTS -> lists(step, messages);
        }
    }

    private void inFlight(Step step, NumberedMessages messages) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callers.inFlight(width, messages.count(), () -> switch (step) {
            case PUSH -> queue.pushAsync(messages.payloads.get(next.getAndIncrement()));
            case POP ->
                queue.popAsync(WAIT)
                        .thenAccept(got -> messages.arrived(got.orElseThrow().payload()));
            case RESERVE_ACK ->
                queue.reserveAsync(WAIT).thenCompose(got -> {
                    Reservation<String> held = got.orElseThrow();
                    messages.arrived(held.payload());
                    return (CompletableFuture<?>) held.ackAsync();
                });
        });
    }

    private void threads(Step step, NumberedMessages messages) throws Exception {
        AtomicInteger next = new AtomicInteger();
        callers.sum(width, () -> {
            for (int i = next.getAndIncrement(); i < messages.count(); i = next.getAndIncrement()) {
                switch (step) {
                    case PUSH -> queue.push(messages.payloads.get(i));
                    case POP -> messages.arrived(queue.pop(WAIT).orElseThrow().payload());
                    case RESERVE_ACK -> {
                        Reservation<String> held = queue.reserve(WAIT).orElseThrow();
                        messages.arrived(held.payload());
                        held.ack();
                    }
                }
            }
            return 0L;
        });
    }

    private void lists(Step step, NumberedMessages messages) throws Exception {
        AtomicInteger begun = new AtomicInteger();
        callers.sum(listCallers, () -> {
            for (int from = begun.getAndAdd(width); from < messages.count(); from = begun.getAndAdd(width)) {
                list(step, messages, from, Math.min(width, messages.count() - from));
            }
            return 0L;
        });
    }

    private void list(Step step, NumberedMessages messages, int from, int count) throws Exception {
        if (step == Step.PUSH) {
            queue.pushAll(messages.payloads.subList(from, from + count));
            return;
        }
        for (int left = count; left > 0; ) {
            if (step == Step.POP) {
                List<Message<String>> got = queue.pop(left, WAIT);
                got.forEach(message -> messages.arrived(message.payload()));
                left -= got.size();
            } else {
                List<Reservation<String>> got = queue.reserve(left, WAIT);
                got.forEach(held -> messages.arrived(held.payload()));
                queue.ackAll(got);
                left -= got.size();
            }
        }
    }

    @Override
    public void close() {
        callers.close();
        jono.close();
    }
}

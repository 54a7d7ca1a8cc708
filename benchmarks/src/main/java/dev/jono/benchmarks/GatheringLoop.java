package dev.jono.benchmarks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The loop on Redis for single calls: callers make calls for one message each, and one {@link GatheringThread} per kind
 * of call sends the waiting calls as one script. It has the same task as Jono, while {@link LettuceLoop} has its
 * messages ready as a list.
 */
final class GatheringLoop implements QueueClient {
    private final LettuceLoop loop;
    private final int width;
    private final boolean blocking;
    private final Callers callers = new Callers();
    private final GatheringThread<String, Void> pushes;
    private final GatheringThread<Void, String> pops;
    private final GatheringThread<Void, LettuceLoop.Held> claims;
    private final GatheringThread<LettuceLoop.Held, Void> commits;

    /**
     * A loop that sends its batches through {@code loop}.
     *
     * @param width the number of callers or of calls in flight
     * @param blocking whether each caller is a thread that waits for its answer; otherwise calls are asynchronous
     */
    GatheringLoop(LettuceLoop loop, int width, boolean blocking) {
        this.loop = loop;
        this.width = width;
        this.blocking = blocking;
        this.pushes = new GatheringThread<>(payloads -> {
            loop.push(payloads);
            return List.of();
        });
        this.pops = new GatheringThread<>(calls -> loop.pop(calls.size()));
        this.claims = new GatheringThread<>(calls -> loop.claim(calls.size()));
        this.commits = new GatheringThread<>(held -> {
            loop.commit(held);
            return List.of();
        });
    }

    @Override
    public String queue() {
        return loop.queue();
    }

    @Override
    public void run(Step step, NumberedMessages messages) throws Exception {
        AtomicInteger next = new AtomicInteger();
        if (!blocking) {
            Callers.inFlight(width, messages.count(), () -> begin(step, messages, next.getAndIncrement()));
            return;
        }
        callers.sum(width, () -> {
            for (int i = next.getAndIncrement(); i < messages.count(); i = next.getAndIncrement()) {
                switch (step) {
                    case PUSH -> pushes.call(messages.payloads.get(i)).get();
                    case POP -> messages.arrived(required(pops.call(null).get()));
                    case RESERVE_ACK -> {
                        LettuceLoop.Held held = required(claims.call(null).get());
                        messages.arrived(held.payload);
                        commits.call(held).get();
                    }
                }
            }
            return 0L;
        });
    }

    private CompletableFuture<?> begin(Step step, NumberedMessages messages, int number) {
        return switch (step) {
            case PUSH -> pushes.call(messages.payloads.get(number));
            case POP -> pops.call(null).thenAccept(payload -> messages.arrived(required(payload)));
            case RESERVE_ACK ->
                claims.call(null).thenCompose(found -> {
                    LettuceLoop.Held held = required(found);
                    messages.arrived(held.payload);
                    return commits.call(held);
                });
        };
    }

    private static <T> T required(@Nullable T found) {
        if (found == null) {
            throw new IllegalStateException("the queue returned fewer messages than were pushed");
        }
        return found;
    }

    @Override
    public void close() {
        callers.close();
        List.of(pushes, pops, claims, commits).forEach(GatheringThread::close);
        loop.close();
    }
}

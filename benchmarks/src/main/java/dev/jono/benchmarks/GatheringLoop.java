package dev.jono.benchmarks;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What a hand-written loop makes of callers that block, each with one message at a time: a thread for each kind of call
 * gathers those that wait, makes one call of them, and wakes them.
 */
final class GatheringLoop implements Contender {
    private final LettuceLoop loop;
    private final int width;
    private final Callers callers = new Callers();
    private final Gatherer<String, Void> pushes;
    private final Gatherer<Void, String> pops;
    private final Gatherer<Void, LettuceLoop.Held> claims;
    private final Gatherer<LettuceLoop.Held, Void> commits;

    /** So many callers over a loop. */
    GatheringLoop(LettuceLoop loop, int width) {
        this.loop = loop;
        this.width = width;
        this.pushes = new Gatherer<>(payloads -> {
            loop.push(payloads);
            return List.of();
        });
        this.pops = new Gatherer<>(wants -> loop.pop(wants.size()));
        this.claims = new Gatherer<>(wants -> loop.claim(wants.size()));
        this.commits = new Gatherer<>(held -> {
            loop.commit(held);
            return List.of();
        });
    }

    @Override
    public String queue() {
        return loop.queue();
    }

    @Override
    public void run(Step step, Numbered messages) throws Exception {
        AtomicInteger next = new AtomicInteger();
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

    private static <T> T required(@Nullable T found) {
        if (found == null) {
            throw new IllegalStateException("the queue has fewer messages than were put there");
        }
        return found;
    }

    @Override
    public void close() {
        callers.close();
        List.of(pushes, pops, claims, commits).forEach(Gatherer::close);
        loop.close();
    }
}

package dev.jono.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
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
                    case PUSH -> pushes.call(messages.payloads.get(i));
                    case POP -> messages.arrived(required(pops.call(null)));
                    case RESERVE_ACK -> {
                        LettuceLoop.Held held = required(claims.call(null));
                        messages.arrived(held.payload);
                        commits.call(held);
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

    /** Calls of one kind. */
    private static final class Gatherer<I, O> {
        private final BlockingQueue<Waiting<I, O>> waiting = new LinkedBlockingQueue<>();
        private final Work<I, O> work;
        private final Thread thread = new Thread(this::gather, "gatherer");

        Gatherer(Work<I, O> work) {
            this.work = work;
            thread.setDaemon(true);
            thread.start();
        }

        /** What one call does for all that were gathered; answers for the first of them, or none. */
        private interface Work<I, O> {
            List<O> of(List<I> all) throws Exception;
        }

        private record Waiting<I, O>(@Nullable I what, CompletableFuture<@Nullable O> answer) {}

        @Nullable O call(@Nullable I what) throws Exception {
            Waiting<I, O> mine = new Waiting<>(what, new CompletableFuture<>());
            waiting.add(mine);
            return mine.answer.get();
        }

        private void gather() {
            List<Waiting<I, O>> all = new ArrayList<>();
            try {
                while (true) {
                    all.add(waiting.take());
                    waiting.drainTo(all);
                    answer(all);
                    all.clear();
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        }

        private void answer(List<Waiting<I, O>> all) {
            try {
                List<I> what = new ArrayList<>(all.size());
                all.forEach(each -> what.add(each.what));
                List<O> found = work.of(what);
                for (int i = 0; i < all.size(); i++) {
                    all.get(i).answer.complete(i < found.size() ? found.get(i) : null);
                }
            } catch (InterruptedException closed) {
                all.forEach(each -> each.answer.completeExceptionally(closed));
                Thread.currentThread().interrupt();
            } catch (Exception | Error failure) {
                all.forEach(each -> each.answer.completeExceptionally(failure));
            }
        }

        void close() {
            thread.interrupt();
        }
    }
}

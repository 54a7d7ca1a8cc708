package dev.jono.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Calls of one kind, as a hand-written loop may gather them: a thread makes one call of all that wait, and answers each. */
final class GatheringThread<I, O> implements AutoCloseable {
    private final BlockingQueue<Waiting<I, O>> waiting = new LinkedBlockingQueue<>();
    private final Work<I, O> work;
    private final Thread thread = new Thread(this::gather, "gatherer");

    GatheringThread(Work<I, O> work) {
        this.work = work;
        thread.setDaemon(true);
        thread.start();
    }

    /** What one call does for all that were gathered; answers for the first of them, or none. */
    interface Work<I, O> {
        List<O> of(List<I> all) throws Exception;
    }

    private record Waiting<I, O>(@Nullable I what, CompletableFuture<@Nullable O> answer) {}

    /** Completed by the thread that gathers; with null where the call has no answer for this one. */
    CompletableFuture<@Nullable O> call(@Nullable I what) {
        Waiting<I, O> mine = new Waiting<>(what, new CompletableFuture<>());
        waiting.add(mine);
        return mine.answer;
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

    @Override
    public void close() {
        thread.interrupt();
    }
}

package dev.jono.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Batches single calls of one kind, as a program written by hand could: one thread takes all waiting calls, makes one
 * storage call for them, and answers each. Thread-safe.
 *
 * @param <I> the argument of a call
 * @param <O> the answer of a call
 */
final class GatheringThread<I, O> implements AutoCloseable {
    private final BlockingQueue<Waiting<I, O>> waiting = new LinkedBlockingQueue<>();
    private final Work<I, O> work;
    private final Thread thread = new Thread(this::gather, "gatherer");

    GatheringThread(Work<I, O> work) {
        this.work = work;
        thread.setDaemon(true);
        thread.start();
    }

    /** The storage call for a batch. Returns answers for the first calls of the batch; the other calls get null. */
    interface Work<I, O> {
        List<O> of(List<I> all) throws Exception;
    }

    private record Waiting<I, O>(@Nullable I what, CompletableFuture<@Nullable O> answer) {}

    /** Adds a call. Its future is completed by this object's thread, with null if the batch has no answer for the call. */
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

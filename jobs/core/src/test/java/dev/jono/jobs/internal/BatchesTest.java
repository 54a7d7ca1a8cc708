package dev.jono.jobs.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls of the job store in batches: their order, and whom a failure concerns. */
class BatchesTest {
    private final List<List<Integer>> calls = new ArrayList<>();
    private final CompletableFuture<List<Integer>> first = new CompletableFuture<>();
    private Predicate<List<Integer>> fails = items -> false;
    private RuntimeException failure = new StorageException("refused", null, null, null);
    private final Batches<Integer, Integer> batches = new Batches<>(this::call, Runnable::run);

    /** The first call is answered by hand, so that the next items wait for each other. */
    private CompletionStage<List<Integer>> call(List<Integer> items) {
        calls.add(items);
        if (calls.size() == 1) {
            return first;
        }
        return fails.test(items) ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(items);
    }

    /** Adds 0, which is sent alone, and these items, which are sent together. */
    private List<CompletableFuture<Integer>> add(int... items) {
        CompletableFuture<Integer> zero = batches.add(0);
        List<CompletableFuture<Integer>> added =
                IntStream.of(items).mapToObj(batches::add).toList();
        first.complete(List.of(0));
        assertThat(zero).isCompletedWithValue(0);
        return added;
    }

    @Test
    void itemsThatArriveDuringACallAreSentTogetherInTheirOrder() {
        assertThat(add(1, 2, 3)).allMatch(CompletableFuture::isDone);
        assertThat(calls).containsExactly(List.of(0), List.of(1, 2, 3));
    }

    @Test
    void badItemFailsAlone() {
        fails = items -> items.contains(2);
        List<CompletableFuture<Integer>> results = add(1, 2, 3);
        assertThat(results.get(0)).isCompletedWithValue(1);
        assertThatThrownBy(results.get(1)::join).hasCause(failure);
        assertThat(results.get(2)).isCompletedWithValue(3);
        assertThat(calls).containsExactly(List.of(0), List.of(1, 2, 3), List.of(1), List.of(2), List.of(3));
        assertThat(batches.add(4)).isCompletedWithValue(4);
    }

    @Test
    void storeThatRefusesEverythingIsNotAskedForEachItem() {
        fails = items -> true;
        List<CompletableFuture<Integer>> results = add(IntStream.range(1, 100).toArray());
        assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(calls).hasSize(5);
        fails = items -> false;
        assertThat(batches.add(4)).isCompletedWithValue(4);
    }

    @Test
    void batchWithAnUnknownOutcomeIsNotRepeated() {
        failure = new OutcomeUnknownException("no reply", null, null, null);
        fails = items -> items.size() > 1;
        assertThat(add(1, 2)).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(calls).containsExactly(List.of(0), List.of(1, 2));
    }

    @Test
    void missingResultsFailTheItems() {
        Batches<Integer, Integer> broken =
                new Batches<>(items -> CompletableFuture.completedFuture(List.of()), Runnable::run);
        assertThat(broken.add(1)).isCompletedExceptionally();
        assertThat(broken.add(2)).isCompletedExceptionally();
    }

    @Test
    void executorThatRefusesHoldsNothingUp() {
        Batches<Integer, Integer> closed = new Batches<>(CompletableFuture::completedFuture, step -> {
            throw new RejectedExecutionException("closed");
        });
        assertThat(closed.add(1)).isCompletedWithValue(1);
        assertThat(closed.add(2)).isCompletedWithValue(2);
    }
}

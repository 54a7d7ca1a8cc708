package dev.jono.jobs.internal;

import dev.jono.jobs.spi.RecordState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Removes the records of succeeded jobs that exceed the number that their type keeps. The kept counts say whether there are any. The
 * oldest records are read before the count that decides how many of them go: if another process removes some meanwhile, this one removes
 * too few, never too many. Thread-safe.
 */
final class OldRecords {
    private static final int MAX_RECORDS = 200;
    private static final int MAX_BATCHES = 50;

    private final JobsContext context;

    OldRecords(JobsContext context) {
        this.context = context;
    }

    /** Removes a bounded number of records for each type. */
    CompletionStage<?> sweep() {
        Map<String, Integer> limits = Map.copyOf(context.keepLast);
        if (limits.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return context.store
                .counts()
                .thenCompose(counts -> CompletableFuture.allOf(limits.entrySet().stream()
                        .filter(limit -> excess(counts, limit.getKey(), limit.getValue()) > 0)
                        .map(limit -> sweep(limit.getKey(), limit.getValue(), MAX_BATCHES)
                                .toCompletableFuture())
                        .toArray(CompletableFuture[]::new)));
    }

    private static long excess(Map<String, Map<RecordState, Long>> counts, String type, int kept) {
        return counts.getOrDefault(type, Map.of()).getOrDefault(RecordState.SUCCEEDED, 0L) - kept;
    }

    private CompletionStage<Boolean> sweep(String type, int kept, int batches) {
        return context.store
                .oldest(type, RecordState.SUCCEEDED, MAX_RECORDS)
                .thenCompose(oldest -> context.store
                        .counts()
                        .thenCompose(counts -> remove(oldest, excess(counts, type, kept)))
                        .thenCompose(more -> more && batches > 1
                                ? sweep(type, kept, batches - 1)
                                : CompletableFuture.completedFuture(more)));
    }

    /** Removes the first of these records. Returns whether there are more to remove. */
    private CompletionStage<Boolean> remove(List<String> oldest, long excess) {
        if (excess <= 0) {
            return CompletableFuture.completedFuture(false);
        }
        List<String> over = oldest.subList(0, (int) Math.min(excess, oldest.size()));
        return context.store.remove(over).thenApply(removed -> excess > MAX_RECORDS);
    }
}

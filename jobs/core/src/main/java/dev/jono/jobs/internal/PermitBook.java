package dev.jono.jobs.internal;

import dev.jono.jobs.JobType;
import dev.jono.jobs.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The permits of all types in this process. Thread-safe. */
final class PermitBook {
    private final JobsContext context;
    private final Map<String, SharedPermits> permits = new ConcurrentHashMap<>();

    PermitBook(JobsContext context) {
        this.context = context;
    }

    /** The permits that the runs of a type need. Runners of this process share them. */
    List<SharedPermits> of(JobType<?, ?> type, Duration lease) {
        List<SharedPermits> needed = new ArrayList<>();
        Integer limit = type.limit();
        if (limit != null) {
            needed.add(permits.computeIfAbsent(
                    type + " limit " + limit, key -> new LimitPermits(context, type.name(), limit, lease)));
        }
        Rate rate = type.rate();
        if (rate != null) {
            needed.add(permits.computeIfAbsent(type + " " + rate, key -> new RatePermits(context, type.name(), rate)));
        }
        return needed;
    }

    /** Gives back the permits of this process. Completes when that is stored, or was tried. */
    CompletableFuture<Boolean> close() {
        CompletableFuture<?>[] closed =
                permits.values().stream().map(SharedPermits::close).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(closed).thenApply(done -> true);
    }
}

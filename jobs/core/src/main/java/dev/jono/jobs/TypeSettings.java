package dev.jono.jobs;

import dev.jono.Backoff;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link JobType}. Changed only before the type is published. */
final class TypeSettings<P> {
    JobPriority priority = JobPriority.NORMAL;
    int maxAttempts = 25;
    Backoff backoff = Backoff.standard();
    Duration timeout = Duration.ofHours(1);

    @Nullable Duration expiresAfter;

    Duration keepSucceeded = Duration.ofHours(24);
    Duration keepFailed = Duration.ofDays(7);

    @Nullable Integer keepLast;

    @Nullable Function<? super P, @Nullable String> uniqueKey;

    UniqueMode uniqueMode = UniqueMode.UNTIL_DONE;

    @Nullable Function<? super P, @Nullable String> key;

    int maxPerKey = 1;

    @Nullable Integer limit;

    @Nullable Rate rate;

    TypeSettings() {}

    TypeSettings<P> copy() {
        TypeSettings<P> copy = new TypeSettings<>();
        copy.priority = priority;
        copy.maxAttempts = maxAttempts;
        copy.backoff = backoff;
        copy.timeout = timeout;
        copy.expiresAfter = expiresAfter;
        copy.keepSucceeded = keepSucceeded;
        copy.keepFailed = keepFailed;
        copy.keepLast = keepLast;
        copy.uniqueKey = uniqueKey;
        copy.uniqueMode = uniqueMode;
        copy.key = key;
        copy.maxPerKey = maxPerKey;
        copy.limit = limit;
        copy.rate = rate;
        return copy;
    }
}

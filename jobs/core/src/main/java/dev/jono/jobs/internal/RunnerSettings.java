package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a runner.
 *
 * @param jobs what its handlers enqueue with
 * @param name its name in the records
 * @param concurrency the maximum number of jobs that run at once
 * @param lease the lease of its messages; null for the default of the queues
 * @param strictPriorities whether a higher priority always comes first
 * @param onIdle is called when it has become idle; null for no calls
 * @param handlers its types with their handlers
 */
record RunnerSettings(
        Jobs jobs,
        String name,
        int concurrency,
        @Nullable Duration lease,
        boolean strictPriorities,
        @Nullable Runnable onIdle,
        Collection<TypeHandler<?, ?>> handlers) {
    /** The names of its types. */
    List<String> types() {
        return handlers.stream().map(handler -> handler.type().name()).toList();
    }

    /**
     * The longest time that the jobs of one claim can take, with a margin so that the timeout of the type comes first. Jobs of several
     * keys are several calls of the handler. The last one begins before the time of one call is over.
     */
    Duration maxRuntime() {
        Duration longest = handlers.stream()
                .map(handler -> handler.max() > 1 && handler.type().hasKeys()
                        ? handler.type().timeout().multipliedBy(2)
                        : handler.type().timeout())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        Duration withMargin = longest.plusSeconds(10);
        return withMargin.compareTo(Durations.MAX) > 0 ? Durations.MAX : withMargin;
    }
}

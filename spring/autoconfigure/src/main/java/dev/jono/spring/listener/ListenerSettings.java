package dev.jono.spring.listener;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a listener; those that are null are not set. Immutable.
 *
 * @param concurrency the maximum number of messages, or of batches, that are handled at the same time
 * @param batch the maximum number of messages in a batch
 * @param prefetch how many more messages are claimed in advance
 * @param lease the length of the leases
 * @param maxRuntime how long a handler can run
 * @param autoStartup whether the listener starts with the application
 */
public record ListenerSettings(
        @Nullable Integer concurrency,
        @Nullable Integer batch,
        @Nullable Integer prefetch,
        @Nullable Duration lease,
        @Nullable Duration maxRuntime,
        @Nullable Boolean autoStartup) {
    private static final ListenerSettings NONE = new ListenerSettings(null, null, null, null, null, null);

    /** Settings of which none is set. */
    public static ListenerSettings none() {
        return NONE;
    }

    /** These settings with another concurrency. */
    public ListenerSettings withConcurrency(int value) {
        return new ListenerSettings(value, batch, prefetch, lease, maxRuntime, autoStartup);
    }

    /** These settings with another size of batches. */
    public ListenerSettings withBatch(int value) {
        return new ListenerSettings(concurrency, value, prefetch, lease, maxRuntime, autoStartup);
    }

    /** These settings, and those of {@code defaults} that are not set here. */
    public ListenerSettings orElse(ListenerSettings defaults) {
        return new ListenerSettings(
                concurrency != null ? concurrency : defaults.concurrency,
                batch != null ? batch : defaults.batch,
                prefetch != null ? prefetch : defaults.prefetch,
                lease != null ? lease : defaults.lease,
                maxRuntime != null ? maxRuntime : defaults.maxRuntime,
                autoStartup != null ? autoStartup : defaults.autoStartup);
    }
}

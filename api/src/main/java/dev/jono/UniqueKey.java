package dev.jono;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A key under which only one push is stored within a window of time. Immutable. */
public final class UniqueKey {
    private final @Nullable String scope;
    private final String key;
    private final Duration window;

    private UniqueKey(@Nullable String scope, String key, Duration window) {
        this.scope = scope;
        this.key = key;
        this.window = window;
    }

    static UniqueKey of(@Nullable String scope, String key, Duration window) {
        if (Durations.check(window, "window").toMillis() < 1) {
            throw new IllegalArgumentException("window must be at least a millisecond: " + Durations.format(window));
        }
        return new UniqueKey(scope == null ? null : Keys.check(scope, "scope"), Keys.check(key, "unique key"), window);
    }

    /** The scope that several queues share; null for the queue's own keys. */
    public @Nullable String scope() {
        return scope;
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** How long a further push under the key is a duplicate, from the first one. */
    public Duration window() {
        return window;
    }

    @Override
    public String toString() {
        return scope == null ? key : scope + "/" + key;
    }
}

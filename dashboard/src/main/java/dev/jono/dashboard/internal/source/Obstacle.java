package dev.jono.dashboard.internal.source;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a job waits for that is due, or that starts after others.
 *
 * @param kind {@code pause} of its type, earlier jobs of its {@code key}, {@code limit} or {@code rate} of its type, or another {@code job}
 * @param name the type, the key, or the id of the other job
 * @param state the state of the other job, in lower case; otherwise null
 * @param until when the wait ends; null if that is not known
 */
public record Obstacle(
        String kind,
        String name,
        @Nullable String state,
        @Nullable Instant until) {
    static Obstacle of(String kind, String name) {
        return new Obstacle(kind, name, null, null);
    }
}

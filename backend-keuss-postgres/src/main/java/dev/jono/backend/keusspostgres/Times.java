package dev.jono.backend.keusspostgres;

import dev.jono.spi.Due;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Due times as arrays of statements. Stateless. */
final class Times {
    /** Half of the last time that JavaScript knows, because a delay is added to the present. */
    private static final long MAX_MILLIS = 8_640_000_000_000_000L / 2;

    private Times() {}

    /** The instants, in milliseconds since the epoch; null for delays. */
    static @Nullable Long[] instants(List<? extends @Nullable Due> dues) {
        return dues.stream()
                .map(due -> due == null || !due.absolute() ? null : cut(due.millis()))
                .toArray(Long[]::new);
    }

    /** The delays, in milliseconds; null for instants. */
    static @Nullable Long[] delays(List<? extends @Nullable Due> dues) {
        return dues.stream()
                .map(due -> due == null || due.absolute() ? null : cut(due.millis()))
                .toArray(Long[]::new);
    }

    private static Long cut(long millis) {
        return Math.max(0, Math.min(MAX_MILLIS, millis));
    }
}

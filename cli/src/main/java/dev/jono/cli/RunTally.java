package dev.jono.cli;

import dev.jono.Interceptor;
import dev.jono.Message;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Counts how the deliveries of {@code work} or {@code pipe} ended. What a handler says of an end counts when the storage
 * has it; every other end is a failure: a command that ran too long, could not be started, or whose lease was lost.
 * Thread-safe.
 */
final class RunTally implements Interceptor {
    private final Map<End, AtomicLong> counts = new EnumMap<>(End.class);
    private final ThreadLocal<End> current = ThreadLocal.withInitial(() -> End.FAILED);

    /** A tally of these ends, and of failures. */
    RunTally(End... ends) {
        Arrays.asList(ends).forEach(end -> counts.put(end, new AtomicLong()));
        counts.put(End.FAILED, new AtomicLong());
    }

    /** How a delivery ends. */
    enum End {
        SUCCEEDED,
        MOVED,
        DROPPED,
        REJECTED,
        FAILED
    }

    /** Says how the delivery that this thread handles ends, unless something fails afterwards. */
    void ends(End end) {
        current.set(end);
    }

    @Override
    public void handle(Message<?> message, Handling handling) throws Exception {
        End end = End.FAILED;
        try {
            handling.proceed();
            end = current.get();
        } finally {
            current.remove();
            Objects.requireNonNull(counts.get(end), "an end that is not counted")
                    .incrementAndGet();
        }
    }

    /** All counts in words. */
    String words() {
        return counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}

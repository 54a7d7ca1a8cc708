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
final class DeliveryCounts implements Interceptor {
    private final Map<Result, AtomicLong> counts = new EnumMap<>(Result.class);
    private final ThreadLocal<Result> current = ThreadLocal.withInitial(() -> Result.FAILED);

    /** A tally of these ends, and of failures. */
    DeliveryCounts(Result... results) {
        Arrays.asList(results).forEach(result -> counts.put(result, new AtomicLong()));
        counts.put(Result.FAILED, new AtomicLong());
    }

    /** How a delivery ends. */
    enum Result {
        SUCCEEDED,
        MOVED,
        DROPPED,
        REJECTED,
        FAILED
    }

    /** Says how the delivery that this thread handles ends, unless something fails afterwards. */
    void setResult(Result result) {
        current.set(result);
    }

    @Override
    public void handle(Message<?> message, Handling handling) throws Exception {
        Result result = Result.FAILED;
        try {
            handling.proceed();
            result = current.get();
        } finally {
            current.remove();
            Objects.requireNonNull(counts.get(result), "an end that is not counted")
                    .incrementAndGet();
        }
    }

    /** All counts in words. */
    String summary() {
        return counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}

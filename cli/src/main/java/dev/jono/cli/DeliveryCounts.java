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
 * Counts the results of the deliveries of {@code work} or {@code pipe}. A result that the handler sets counts when the
 * storage has stored it. Every other delivery is a failure: the command ran too long or could not start, or the lease
 * was lost. Called on the threads of handlers. Thread-safe.
 */
final class DeliveryCounts implements Interceptor {
    private final Map<Result, AtomicLong> counts = new EnumMap<>(Result.class);
    private final ThreadLocal<Result> current = ThreadLocal.withInitial(() -> Result.FAILED);

    /** Counts these results, and failures. */
    DeliveryCounts(Result... results) {
        Arrays.asList(results).forEach(result -> counts.put(result, new AtomicLong()));
        counts.put(Result.FAILED, new AtomicLong());
    }

    /** The result of a delivery. */
    enum Result {
        SUCCEEDED,
        MOVED,
        DROPPED,
        REJECTED,
        FAILED
    }

    /** Sets the result of the delivery that this thread handles, unless a failure follows. */
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
            Objects.requireNonNull(counts.get(result), "a result that is not counted")
                    .incrementAndGet();
        }
    }

    /** All counts as text. */
    String summary() {
        return counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }
}

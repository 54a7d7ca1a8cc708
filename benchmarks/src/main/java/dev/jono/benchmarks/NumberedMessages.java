package dev.jono.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a round: texts of 200 characters that begin with a number. Counts how often each arrives, or passes
 * arrivals to a listener. Thread-safe.
 */
public final class NumberedMessages {
    private static final int DIGITS = 9;
    private static final String REST = "x".repeat(200 - DIGITS);

    final List<String> payloads;
    private final AtomicIntegerArray seen;
    private final @Nullable Consumer<String> taker;
    private final int count;

    NumberedMessages(int count) {
        this.payloads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            payloads.add(String.format("%0" + DIGITS + "d", i) + REST);
        }
        this.seen = new AtomicIntegerArray(count);
        this.count = count;
        this.taker = null;
    }

    /** Messages with these texts; {@code taker} gets each text that arrives. */
    public NumberedMessages(List<String> payloads, Consumer<String> taker) {
        this.payloads = payloads;
        this.seen = new AtomicIntegerArray(0);
        this.count = payloads.size();
        this.taker = taker;
    }

    /** Messages that are only taken, {@code count} of them; {@code taker} gets each text that arrives. */
    public NumberedMessages(int count, Consumer<String> taker) {
        this.payloads = List.of();
        this.seen = new AtomicIntegerArray(0);
        this.count = count;
        this.taker = taker;
    }

    int count() {
        return count;
    }

    /** Resets the counts of all arrivals. */
    void restart() {
        for (int i = 0; i < seen.length(); i++) {
            seen.set(i, 0);
        }
    }

    /** Counts an arrival. */
    void arrived(String payload) {
        if (taker != null) {
            taker.accept(payload);
            return;
        }
        seen.incrementAndGet(Integer.parseInt(payload, 0, DIGITS, 10));
    }

    /** Counts a message that is stored in Redis as the JSON text {@code json}. */
    void stored(String json) {
        String field = "\"payload\":\"";
        arrived(json.substring(json.indexOf(field) + field.length()));
    }

    /** Throws unless each message has arrived exactly once; {@code of} names the queue. */
    void requireEachOnce(String of) {
        int missing = 0;
        int twice = 0;
        for (int i = 0; i < seen.length(); i++) {
            missing += seen.get(i) == 0 ? 1 : 0;
            twice += seen.get(i) > 1 ? 1 : 0;
        }
        if (missing + twice > 0) {
            throw new IllegalStateException(of + ": of " + count() + " messages, " + missing + " are missing and "
                    + twice + " arrived more than once");
        }
    }
}

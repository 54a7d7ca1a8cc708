package dev.jono.benchmarks.compare;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The ordering keys of jobs, and whether the jobs of each key run in the order of their numbers. A job has the key of its
 * number modulo the number of keys, as in {@code peers/queue-farm/peer.js}. Thread-safe.
 */
final class KeyOrder {
    private final AtomicIntegerArray last;
    private final AtomicInteger wrong = new AtomicInteger();

    KeyOrder(int keys) {
        this.last = new AtomicIntegerArray(keys);
    }

    /** Returns the key of a job with this payload. */
    String key(String text) {
        return "key-" + Payloads.number(text) % last.length();
    }

    /** Reports that a job runs. */
    void ran(String text) {
        int number = Payloads.number(text);
        // Numbers begin at 0, and a key without jobs has 0.
        if (last.getAndSet(number % last.length(), number + 1) > number) {
            wrong.incrementAndGet();
        }
    }

    /** Throws if a job has run after a later one with the same key. */
    void check() {
        if (wrong.get() > 0) {
            throw new IllegalStateException(wrong.get() + " jobs were not in the order of their key");
        }
    }
}

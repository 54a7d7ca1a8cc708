package dev.jono.cli;

import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lines of an input that were no payloads: how many, and the first few by number. Thread-safe. */
final class RefusedLines {
    private static final int SHOWN = 5;

    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, String> first = new TreeMap<>(); // guarded by lock
    private long count; // guarded by lock

    /** One more. */
    void add(long number, String why) {
        lock.lock();
        try {
            count++;
            first.put(number, why);
            if (first.size() > SHOWN) {
                first.pollLastEntry();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What to say of them; empty when there are none. */
    Optional<String> summary() {
        lock.lock();
        try {
            return summaryLocked();
        } finally {
            lock.unlock();
        }
    }

    private Optional<String> summaryLocked() {
        if (count == 0) {
            return Optional.empty();
        }
        @Nullable String why = first.firstEntry().getValue();
        if (count == 1) {
            return Optional.of(why);
        }
        String numbers = first.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return Optional.of(why + "; " + count + " refused in all: " + numbers + (count > first.size() ? ", …" : ""));
    }
}

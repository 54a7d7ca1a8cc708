package dev.jono.cli;

import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The invalid lines of an input: their number, and the first five with their line numbers. Thread-safe. */
final class RefusedLines {
    private static final int SHOWN = 5;

    private final ReentrantLock lock = new ReentrantLock();
    private final TreeMap<Long, String> first = new TreeMap<>(); // guarded by lock
    private long count; // guarded by lock

    /** Adds a line. */
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

    /** A description of all refused lines; empty if there are none. */
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
        return Optional.of(why + "; " + count + " refused in total: " + numbers + (count > first.size() ? ", …" : ""));
    }
}

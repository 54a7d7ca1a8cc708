package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where a taking driver puts what it gets, and learns when to end: when so many are settled, or when it is told to.
 * Thread-safe.
 */
final class TakeProgress {
    private static final JonoClock CLOCK = JonoClock.system();

    private final Arrivals arrivals;
    private final int[] micros;
    private final AtomicInteger stamped = new AtomicInteger();
    private final AtomicInteger settled = new AtomicInteger();
    private final AtomicLong endNanos = new AtomicLong();
    private final int expected;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean open = true;

    /**
     * For one round.
     *
     * @param sent what is to arrive
     * @param expected how many this process alone will get, or -1: then somebody says {@link #stop}
     */
    TakeProgress(Payloads sent, int expected) {
        this.arrivals = new Arrivals(sent);
        this.micros = new int[sent.count()];
        this.expected = expected;
    }

    /** Whether more is wanted. */
    boolean open() {
        return open;
    }

    int expected() {
        return expected;
    }

    /** A message is in the hands of the consumer. */
    void arrived(String text) {
        arrivals.add(text);
        long due = text.length() < Payloads.LEAST_BYTES ? 0 : Payloads.stamp(text);
        if (due != 0) {
            int place = stamped.getAndIncrement();
            if (place < micros.length) {
                micros[place] = (int) ((CLOCK.nanos() - due) / 1000);
            }
        }
    }

    /** So many of those that arrived are acknowledged, or were popped. */
    void settled(int more) {
        int now = settled.addAndGet(more);
        endNanos.accumulateAndGet(CLOCK.nanos(), Math::max);
        if (expected >= 0 && now >= expected) {
            stop();
        }
    }

    int settled() {
        return settled.get();
    }

    void stop() {
        open = false;
        closed.complete(null);
    }

    /** Ends when no more is wanted. */
    CompletableFuture<Void> closed() {
        return closed;
    }

    /** When the last was settled. */
    long endNanos() {
        return endNanos.get();
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** How long each with a time was on its way, in microseconds. */
    int[] micros() {
        return java.util.Arrays.copyOf(micros, Math.min(stamped.get(), micros.length));
    }
}

package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The progress of one process that takes messages in one round. The driver reports arrived and settled messages here,
 * and ends when {@link #isOpen} returns false: after the expected number, or after {@link #stop}. Measures the delay of
 * paced messages. Thread-safe.
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
     * Starts a round.
     *
     * @param sent the messages of the round
     * @param expected the number of messages after which it ends, or -1 if only {@link #stop} ends it
     */
    TakeProgress(Payloads sent, int expected) {
        this.arrivals = new Arrivals(sent);
        this.micros = new int[sent.count()];
        this.expected = expected;
    }

    /** Returns whether the driver should take more messages. */
    boolean isOpen() {
        return open;
    }

    int expected() {
        return expected;
    }

    /** Reports a message that the consumer has received. */
    void arrived(String text) {
        arrivals.add(text);
        long due = text.length() < Payloads.MIN_BYTES ? 0 : Payloads.stamp(text);
        if (due != 0) {
            int index = stamped.getAndIncrement();
            if (index < micros.length) {
                micros[index] = (int) ((CLOCK.nanos() - due) / 1000);
            }
        }
    }

    /** Reports that this many more messages are acked or popped. */
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

    /** Returns a future that completes when the driver should stop. */
    CompletableFuture<Void> whenStopped() {
        return closed;
    }

    /** Returns the time at which the last message was settled. */
    long endNanos() {
        return endNanos.get();
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** Returns the delays of the messages that hold a time, in microseconds. */
    int[] micros() {
        return java.util.Arrays.copyOf(micros, Math.min(stamped.get(), micros.length));
    }
}

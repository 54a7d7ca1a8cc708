package dev.jono.benchmarks.compare;

import java.util.Base64;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Which messages of a round arrived in one process. Thread-safe. */
final class Arrivals {
    private final Payloads sent;
    private final int count;
    private final AtomicLongArray seen;
    private final AtomicInteger again = new AtomicInteger();
    private final AtomicInteger foreign = new AtomicInteger();

    /** None yet of these messages. */
    Arrivals(Payloads sent) {
        this.sent = sent;
        this.count = sent.count();
        this.seen = new AtomicLongArray(count / Long.SIZE + 1);
    }

    void add(String text) {
        int place = sent.place(text);
        if (place < 0) {
            foreign.incrementAndGet();
            return;
        }
        long bit = 1L << (place % Long.SIZE);
        if ((seen.getAndAccumulate(place / Long.SIZE, bit, (a, b) -> a | b) & bit) != 0) {
            again.incrementAndGet();
        }
    }

    /** What came a second time, here. */
    int again() {
        return again.get();
    }

    /** What is no message of this round, or none as it was sent. */
    int foreign() {
        return foreign.get();
    }

    /** The set of those that came, for {@link DeliveryCheck}. */
    String encoded() {
        long[] words = new long[seen.length()];
        for (int i = 0; i < words.length; i++) {
            words[i] = seen.get(i);
        }
        return Base64.getEncoder().encodeToString(BitSet.valueOf(words).toByteArray());
    }
}

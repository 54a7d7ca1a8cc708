package dev.jono.benchmarks.compare;

import java.util.Base64;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** Records which messages of a round arrived in one process. Thread-safe. */
final class Arrivals {
    private final Payloads sent;
    private final int count;
    private final AtomicLongArray seen;
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicInteger foreign = new AtomicInteger();

    /** Records arrivals of these messages; none has arrived yet. */
    Arrivals(Payloads sent) {
        this.sent = sent;
        this.count = sent.count();
        this.seen = new AtomicLongArray(count / Long.SIZE + 1);
    }

    void add(String text) {
        int index = sent.index(text);
        if (index < 0) {
            foreign.incrementAndGet();
            return;
        }
        long bit = 1L << (index % Long.SIZE);
        if ((seen.getAndAccumulate(index / Long.SIZE, bit, (a, b) -> a | b) & bit) != 0) {
            repeated.incrementAndGet();
        }
    }

    /** Returns how many messages arrived again in this process. */
    int repeated() {
        return repeated.get();
    }

    /** Returns how many arrived texts are not a message of this round, or were changed. */
    int foreign() {
        return foreign.get();
    }

    /** Returns the set of arrived messages as text, for {@link DeliveryCheck}. */
    String encoded() {
        long[] words = new long[seen.length()];
        for (int i = 0; i < words.length; i++) {
            words[i] = seen.get(i);
        }
        return Base64.getEncoder().encodeToString(BitSet.valueOf(words).toByteArray());
    }
}

package dev.jono.internal.runtime;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Creates the tokens of storage calls, unique across processes and time. Called on any thread. Thread-safe. */
public final class TokenSource {
    private final String prefix;
    private final AtomicLong counter = new AtomicLong();

    TokenSource() {
        SecureRandom random = new SecureRandom();
        this.prefix = Long.toString(random.nextLong() >>> 1, 36) + Integer.toString(random.nextInt() >>> 1, 36) + "-";
    }

    public String next() {
        return prefix + Long.toString(counter.incrementAndGet(), 36);
    }
}

package dev.jono.internal.runtime;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Names for calls to the storage, unique over processes and time. */
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

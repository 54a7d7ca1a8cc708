package dev.jono.testkit.server;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that the tests of this JVM share. It starts at the first use and ends with the JVM. Thread-safe.
 *
 * @param <T> what users of the server get, such as its URI
 */
final class SharedServer<T> {
    private final Supplier<T> start;
    private @Nullable T started;

    SharedServer(Supplier<T> start) {
        this.start = start;
    }

    /** Starts the server if this is the first call. A start that fails is repeated by the next call. */
    T get() {
        synchronized (this) {
            T known = started;
            if (known == null) {
                known = start.get();
                started = known;
            }
            return known;
        }
    }
}

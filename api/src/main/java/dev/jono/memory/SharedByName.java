package dev.jono.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Objects that this JVM shares by name. An object exists while it has users. Thread-safe. */
final class SharedByName<T> {
    private final ConcurrentHashMap<String, Use<T>> uses = new ConcurrentHashMap<>();

    /** The object of a name, created if there is none. Each call must be followed by {@link #release}. */
    T acquire(String name, Supplier<T> maker) {
        return uses.compute(
                        name,
                        (n, use) -> use == null ? new Use<>(maker.get(), 1) : new Use<>(use.object, use.users + 1))
                .object;
    }

    /** Ends one use; the last one forgets the object. */
    void release(String name) {
        uses.computeIfPresent(name, (n, use) -> use.users == 1 ? null : new Use<>(use.object, use.users - 1));
    }

    private record Use<T>(T object, int users) {}
}

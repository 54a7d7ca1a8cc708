package dev.jono.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Objects that this JVM shares by name. One lives while somebody uses it. Thread-safe. */
final class SharedByName<T> {
    private final ConcurrentHashMap<String, Use<T>> uses = new ConcurrentHashMap<>();

    /** The object of this name, made if there is none. Every call wants its {@link #release}. */
    T acquire(String name, Supplier<T> maker) {
        return uses.compute(
                        name,
                        (n, use) -> use == null ? new Use<>(maker.get(), 1) : new Use<>(use.object, use.users + 1))
                .object;
    }

    /** Ends one use; the last drops the object. */
    void release(String name) {
        uses.computeIfPresent(name, (n, use) -> use.users == 1 ? null : new Use<>(use.object, use.users - 1));
    }

    private record Use<T>(T object, int users) {}
}

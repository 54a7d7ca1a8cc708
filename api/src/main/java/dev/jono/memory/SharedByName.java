package dev.jono.memory;

import dev.jono.spi.PluginConfig;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
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

    /**
     * Opens a signaller or stats on the object that the URL names. Without a name, it uses the object of the memory
     * storage, or with another backend an object of its own.
     *
     * @param ofStorage returns the object of a memory storage
     * @param opener opens the plugin on an object; the plugin runs the {@code Runnable} once, when it is closed
     */
    <P> P open(
            PluginConfig config,
            Supplier<T> maker,
            Function<MemoryStorage, T> ofStorage,
            BiFunction<T, Runnable, P> opener) {
        String name = UrlNames.of(config.url(), Set.of());
        if (!name.isEmpty()) {
            return opener.apply(acquire(name, maker), () -> release(name));
        }
        T unnamed = config.storage() instanceof MemoryStorage memory ? ofStorage.apply(memory) : maker.get();
        return opener.apply(unnamed, () -> {});
    }

    private record Use<T>(T object, int users) {}
}

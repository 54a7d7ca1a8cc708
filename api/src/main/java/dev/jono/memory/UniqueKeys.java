package dev.jono.memory;

import dev.jono.UniqueKey;
import dev.jono.spi.ForgetRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The ids that were pushed under unique keys, until the windows of the keys end. Thread-safe. */
final class UniqueKeys {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Name, Window> windows = new HashMap<>();
    private final PriorityQueue<Window> ends = new PriorityQueue<>((a, b) -> Long.compare(a.endMillis, b.endMillis));

    private record Name(@Nullable String scope, String key) {}

    private record Window(Name name, String id, long endMillis) {}

    /** Remembers an id under a key for its window; returns the id that is remembered already, or null. */
    @Nullable String remember(UniqueKey unique, String id, long nowMillis) {
        lock.lock();
        try {
            for (Window over = ends.peek(); over != null && over.endMillis <= nowMillis; over = ends.peek()) {
                windows.remove(over.name, over);
                ends.remove();
            }
            Name name = new Name(unique.scope(), unique.key());
            Window window = new Window(name, id, nowMillis + unique.window().toMillis());
            Window known = windows.putIfAbsent(window.name, window);
            if (known != null) {
                return known.id;
            }
            ends.add(window);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a window if it belongs to the id of the request. */
    boolean forget(ForgetRequest request) {
        lock.lock();
        try {
            Window known = windows.get(new Name(request.scope(), request.key()));
            return known != null
                    && known.id.equals(request.id())
                    && windows.remove(known.name, known)
                    && ends.remove(known);
        } finally {
            lock.unlock();
        }
    }
}

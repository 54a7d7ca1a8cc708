package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.QueueClosedException;
import dev.jono.internal.log.Log;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The companions of a factory, one per type. Called by {@link FactoryImpl}. Thread-safe. */
final class Companions {
    private static final Log LOG = Log.named("dev.jono");

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<Class<?>, AutoCloseable> open = new LinkedHashMap<>();

    @GuardedBy("lock") private boolean closed;

    <T extends AutoCloseable> T get(Class<T> type, Supplier<T> maker) {
        lock.lock();
        try {
            if (closed) {
                throw new QueueClosedException("the factory is closed", null, null, null);
            }
            AutoCloseable known = open.get(type);
            if (known != null) {
                return type.cast(known);
            }
            T made = maker.get();
            open.put(type, made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** Closes all companions, the last one first. A failure of one does not keep the others open. */
    void close() {
        List<AutoCloseable> all;
        lock.lock();
        try {
            closed = true;
            all = new ArrayList<>(open.values());
            open.clear();
        } finally {
            lock.unlock();
        }
        Collections.reverse(all);
        for (AutoCloseable companion : all) {
            try {
                companion.close();
            } catch (Exception failure) {
                LOG.warn("{} did not close cleanly", companion, failure);
            }
        }
    }
}

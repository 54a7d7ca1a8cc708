package dev.jono.dashboard.internal.source;

import dev.jono.JonoClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values that are read from a storage and shared by all viewers. A value is read again when somebody asks for it and it is a second
 * old, or a hundred times as old as its read took: so each value costs the storage at most a hundredth of its time. If reads take long,
 * viewers get the old value while the new one is read. Thread-safe; threads that ask for the same value share one read.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Samples<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.dashboard");
    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int REST = 100;
    /** A first read can take long because caches are empty and classes are not loaded. The second one shows the usual time. */
    private static final long MOST_AFTER_FIRST_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int MAX_ENTRIES = 20_000;

    /** A value, what its read took, and until when it is shown. Guarded by itself. */
    private static final class Entry<V> {
        private final ReentrantLock reading = new ReentrantLock();
        private volatile @Nullable Sample<V> sample;
    }

    /**
     * A value that was read.
     *
     * @param first whether it is the first one of its key
     */
    private record Sample<V>(V value, long costNanos, long readAtNanos, boolean first) {
        private boolean isOld(long nowNanos) {
            long rest = first ? Math.min(MOST_AFTER_FIRST_NANOS, REST * costNanos) : REST * costNanos;
            return nowNanos - readAtNanos > Math.max(LEAST_NANOS, rest);
        }
    }

    private final JonoClock clock;
    private final Function<K, V> read;
    private final ConcurrentHashMap<K, Entry<V>> entries = new ConcurrentHashMap<>();

    /**
     * Values that a function reads.
     *
     * @param clock tells how old they are
     * @param read from a key to the value; may block, and throw if the storage is away
     */
    Samples(JonoClock clock, Function<K, V> read) {
        this.clock = clock;
        this.read = read;
    }

    /** The value of a key. Throws what the read throws. */
    V get(K key) {
        Entry<V> entry = entry(key);
        Sample<V> sample = entry.sample;
        boolean old = sample == null || sample.isOld(clock.nanos());
        if (sample == null || (old && sample.costNanos < LONG_NANOS)) {
            return refresh(entry, key, LEAST_NANOS);
        }
        if (old) {
            refreshBeside(entry, key);
        }
        return sample.value;
    }

    /** As {@link #get}, for a user who misses something that may be new: reads again unless that was done a moment ago. */
    V getNew(K key) {
        Entry<V> entry = entry(key);
        Sample<V> sample = entry.sample;
        return refresh(entry, key, sample == null ? 0 : Math.max(LEAST_NANOS, REST / 10 * sample.costNanos));
    }

    /** Has a value read again at the next use, because a user has changed it. */
    void forget(K key) {
        entries.remove(key);
    }

    private Entry<V> entry(K key) {
        if (entries.size() > MAX_ENTRIES) {
            entries.clear();
        }
        return entries.computeIfAbsent(key, k -> new Entry<>());
    }

    /** Reads the value, unless another thread has read it while this one waited for its turn. */
    private V refresh(Entry<V> entry, K key, long newEnoughNanos) {
        entry.reading.lock();
        try {
            Sample<V> sample = entry.sample;
            if (sample != null && clock.nanos() - sample.readAtNanos < newEnoughNanos) {
                return sample.value;
            }
            long begin = clock.nanos();
            V value = read.apply(key);
            long end = clock.nanos();
            entry.sample = new Sample<>(value, end - begin, end, sample == null);
            return value;
        } finally {
            entry.reading.unlock();
        }
    }

    private void refreshBeside(Entry<V> entry, K key) {
        if (entry.reading.isLocked()) {
            return;
        }
        CompletableFuture.runAsync(() -> refresh(entry, key, LEAST_NANOS), run -> {
                    Thread thread = new Thread(run, "jono-dashboard-reader");
                    thread.setDaemon(true);
                    thread.start();
                })
                .exceptionally(failure -> {
                    // The pages show the old value, and the next viewer tries again.
                    LOG.debug("'{}' could not be read again", key, failure);
                    return null;
                });
    }
}

package dev.jono.jobs.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The records, entries and events of one memory storage, shared by the factories that use it. Thread-safe. */
final class SharedTable {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final RecordTable table = new RecordTable();

    @GuardedBy("lock") private final EntryTable entries = new EntryTable();

    @GuardedBy("lock") private final EventLog events = new EventLog();

    /** Runs a step that no other step sees half done. */
    <R> R call(Function<RecordTable, R> step) {
        lock.lock();
        try {
            return step.apply(table);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #call}, for entries. */
    <R> R callEntries(Function<EntryTable, R> step) {
        lock.lock();
        try {
            return step.apply(entries);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #call}, for events. */
    <R> R callEvents(Function<EventLog, R> step) {
        lock.lock();
        try {
            return step.apply(events);
        } finally {
            lock.unlock();
        }
    }
}

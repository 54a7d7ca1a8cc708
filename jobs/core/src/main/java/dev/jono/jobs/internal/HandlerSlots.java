package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The concurrency of a runner. A message occupies a slot from its claim until its handler has returned. So the next job is claimed while
 * the end of this one is being stored. Called with locks of the worker held, and on the threads of handlers. Thread-safe.
 */
final class HandlerSlots {
    private final int slots;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** The messages that the worker holds, or claims. */
    @GuardedBy("lock") private int held;

    /** Those of them whose handlers have returned. */
    @GuardedBy("lock") private int ending;

    /** This many slots, all free. */
    HandlerSlots(int slots) {
        this.slots = slots;
    }

    @GuardedBy("lock") private int free() {
        return slots - (held - ending);
    }

    boolean isOpen() {
        lock.lock();
        try {
            return free() > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Takes up to this many slots; returns how many. */
    int take(int wanted) {
        lock.lock();
        try {
            int taken = Math.max(0, Math.min(wanted, free()));
            held += taken;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back the slots of messages that no handler gets. */
    void giveBack(int messages) {
        lock.lock();
        try {
            held -= messages;
        } finally {
            lock.unlock();
        }
    }

    /** A handler has returned: the slots of its messages are free, and the worker claims again. */
    void handled(int messages) {
        lock.lock();
        try {
            ending += messages;
        } finally {
            lock.unlock();
        }
        listeners.forEach(Runnable::run);
    }

    /** The worker does not hold these messages any more. Some of them may have ended without a handler. */
    void finished(int messages) {
        lock.lock();
        try {
            held -= messages;
            ending -= Math.min(messages, ending);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a callback that runs when slots have become free. */
    void addListener(Runnable freed) {
        listeners.add(freed);
    }
}

package dev.jono.backend.sqlite;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The submitted commands that the writer has not read yet. Any thread calls {@link #put}, which is one compare-and-set.
 * Only the writer's thread calls the other methods.
 */
final class CommandInbox {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final Command<?> CLOSED = new Command<>(0, Command.work(tx -> {}));

    /** The latest command. Each command links to the one before it. */
    private final AtomicReference<@Nullable Command<?>> latest = new AtomicReference<>();

    private volatile @Nullable Thread waitingThread;

    /** Adds a command; false if the inbox is closed. */
    boolean put(Command<?> command) {
        Command<?> before;
        do {
            before = latest.get();
            if (before == CLOSED) {
                return false;
            }
            command.link = before;
        } while (!latest.compareAndSet(before, command));
        Thread thread = waitingThread;
        if (before == null && thread != null) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    boolean isEmpty() {
        return latest.get() == null;
    }

    /** Removes all commands. Returns the oldest; each links to the next by {@link Command#link}. Null if empty. */
    @Nullable Command<?> drain() {
        Command<?> command = latest.getAndSet(null);
        Command<?> first = null;
        while (command != null) {
            Command<?> before = command.link;
            command.link = first;
            first = command;
            command = before;
        }
        return first;
    }

    /**
     * Waits until a command is put; may return without one. The wait begins with a short spin, because a caller whose
     * command has completed often submits the next one faster than a thread can be woken.
     */
    void awaitCommand() {
        long spinEndNanos = RealTime.nanos() + SPIN_NANOS;
        while (isEmpty() && RealTime.nanos() - spinEndNanos < 0) {
            Thread.onSpinWait();
        }
        waitingThread = Thread.currentThread();
        if (isEmpty()) {
            LockSupport.park(this);
        }
        waitingThread = null;
    }

    /** Closes the inbox if it is empty; returns whether it is closed now. */
    boolean close() {
        return latest.compareAndSet(null, CLOSED);
    }
}

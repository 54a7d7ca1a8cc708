package dev.jono.backend.sqlite;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Commands on their way to the writer: many threads put, one takes all. A put is one compare-and-set. */
final class Inbox {
    private static final Command<?> CLOSED = new Command<>(0, Command.work(tx -> {}));

    /** The latest command; each links to the one before it. */
    private final AtomicReference<@Nullable Command<?>> latest = new AtomicReference<>();

    private volatile @Nullable Thread sleeper;

    /** Adds a command. False when the inbox is closed. */
    boolean put(Command<?> command) {
        Command<?> before;
        do {
            before = latest.get();
            if (before == CLOSED) {
                return false;
            }
            command.link = before;
        } while (!latest.compareAndSet(before, command));
        Thread thread = sleeper;
        if (before == null && thread != null) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    boolean isEmpty() {
        return latest.get() == null;
    }

    /** All commands, the oldest first, linked to the next by {@link Command#link}; null when there are none. */
    @Nullable Command<?> takeAll() {
        Command<?> at = latest.getAndSet(null);
        Command<?> first = null;
        while (at != null) {
            Command<?> before = at.link;
            at.link = first;
            first = at;
            at = before;
        }
        return first;
    }

    /** Sleeps until something is put; may return for no reason. */
    void await() {
        sleeper = Thread.currentThread();
        if (isEmpty()) {
            LockSupport.park(this);
        }
        sleeper = null;
    }

    /** Closes the inbox if it is empty. */
    boolean close() {
        return latest.compareAndSet(null, CLOSED);
    }
}

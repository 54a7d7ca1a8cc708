package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Commands on their way to the writer: many threads put, one takes all. A put is one compare-and-set. */
final class CommandInbox {
    /** Not the factory's clock, which may be a test's and stand still. */
    private static final JonoClock REAL = JonoClock.system();

    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final Command<?> CLOSED = new Command<>(0, Command.work(tx -> {}));

    /** The latest command; each links to the one before it. */
    private final AtomicReference<@Nullable Command<?>> latest = new AtomicReference<>();

    private volatile @Nullable Thread waitingThread;

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
        Thread thread = waitingThread;
        if (before == null && thread != null) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    boolean isEmpty() {
        return latest.get() == null;
    }

    /** All commands, the oldest first, linked to the next by {@link Command#link}; null when there are none. */
    @Nullable Command<?> drain() {
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

    /**
     * Sleeps until something is put; may return for no reason. A caller that was just told its message is stored often
     * brings the next one at once, and waking a thread takes longer than that: so it looks for a moment before it sleeps.
     */
    void awaitCommand() {
        long awake = REAL.nanos() + SPIN_NANOS;
        while (isEmpty() && REAL.nanos() - awake < 0) {
            Thread.onSpinWait();
        }
        waitingThread = Thread.currentThread();
        if (isEmpty()) {
            LockSupport.park(this);
        }
        waitingThread = null;
    }

    /** Closes the inbox if it is empty. */
    boolean close() {
        return latest.compareAndSet(null, CLOSED);
    }
}

package dev.jono.cli;

import dev.jono.JonoClock;
import java.util.concurrent.locks.ReentrantLock;

/** Shows progress: one changing line on a terminal, otherwise a new line every three seconds. Thread-safe. */
final class ChangingLine {
    private static final long INTERVAL_NANOS = 3_000_000_000L;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Io io;
    private final ReentrantLock lock = new ReentrantLock();
    private long lastNanos = JonoClock.system().nanos();
    private String shown = "";

    ChangingLine(Io io) {
        this.io = io;
    }

    /** Shows the current progress. */
    void show(String line) {
        lock.lock();
        try {
            long now = JonoClock.system().nanos();
            if (io.terminal()) {
                shown = line;
                io.err().print(CLEAR_LINE + line);
                io.err().flush();
            } else if (now - lastNanos > INTERVAL_NANOS) {
                lastNanos = now;
                io.say(line);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Prints a line that stays on the screen. */
    void say(String words) {
        lock.lock();
        try {
            io.say((shown.isEmpty() ? "" : CLEAR_LINE) + words);
            if (!shown.isEmpty()) {
                io.err().print(shown);
                io.err().flush();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes the changing line. */
    void clear() {
        lock.lock();
        try {
            if (!shown.isEmpty()) {
                io.err().print(CLEAR_LINE);
                io.err().flush();
                shown = "";
            }
        } finally {
            lock.unlock();
        }
    }
}

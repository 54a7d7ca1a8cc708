package dev.jono.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a process of the demo tells its parent: lines of a letter and numbers, with a stop at the end, so that a line cut
 * short by a kill is not taken for a whole one. Each line is out before the method returns. Thread-safe.
 */
final class DemoReport {
    /** The name of the process that runs the pipeline's stage. */
    static final String STAGE = "stage";

    /** Stored. */
    static final String PUSHED = "P";
    /** Handed out by the queue: number, colon, tries. */
    static final String DELIVERED = "G";
    /** Will be acked next. */
    static final String ACKING = "B";
    /** Was acked: number, and for ordinary messages a colon and the microseconds from push to delivery. */
    static final String ACKED = "A";
    /** Given back after a failure, or given up. */
    static final String FAILED = "F";
    /** Was not this process's any more. */
    static final String STALE = "S";
    /** Came before its time. */
    static final String EARLY = "E";

    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    DemoReport(OutputStream out) {
        this.out = out;
    }

    void send(String what, Object number) {
        write(what + " " + number + " .\n");
    }

    void send(String what, Collection<?> numbers) {
        if (!numbers.isEmpty()) {
            StringBuilder line = new StringBuilder(what);
            numbers.forEach(number -> line.append(' ').append(number));
            write(line.append(" .\n").toString());
        }
    }

    private void write(String line) {
        lock.lock();
        try {
            out.write(line.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("nobody listens any more", e);
        } finally {
            lock.unlock();
        }
    }
}

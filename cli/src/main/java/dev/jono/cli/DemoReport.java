package dev.jono.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sends the events of a process of the demo to its parent: lines of a letter and numbers. Each line ends with a dot, so
 * that the parent recognizes a line that a kill has cut short. A line is written before the method returns.
 * Thread-safe.
 */
final class DemoReport {
    /** The name of the process that runs the pipeline's stage. */
    static final String STAGE = "stage";

    // Of the act about queues.

    /** The storage has stored the message. */
    static final String PUSHED = "P";
    /** The process has received the message: number, colon, tries. */
    static final String DELIVERED = "G";
    /** The process is about to ack the message. */
    static final String ACKING = "B";
    /** The message is acked: number; for ordinary messages also a colon and the microseconds from push to delivery. */
    static final String ACKED = "A";
    /** The reservation was lost. */
    static final String STALE = "S";
    /** The message was delivered before its due time. */
    static final String EARLY = "E";

    // Of the act about jobs.

    /** The handler begins to run the job: number, colon, microseconds since the start of the act. */
    static final String BEGUN = "R";
    /** The handler is about to return. */
    static final String ENDED = "D";
    /** The handler of a job with an ordering key has found that the job is not in order. */
    static final String OUT_OF_ORDER = "O";
    /** The handler has begun to run the job, and waits for the kill of its process. */
    static final String HANGING = "H";

    // Of both.

    /** The message was retried or dead-lettered after a failure, or the handler of the job is about to throw an exception. */
    static final String FAILED = "F";

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
            throw new UncheckedIOException("the parent process has closed the pipe", e);
        } finally {
            lock.unlock();
        }
    }
}

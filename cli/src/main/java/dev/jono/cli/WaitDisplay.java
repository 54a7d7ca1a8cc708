package dev.jono.cli;

import dev.jono.JonoException;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows the state and progress of a job while a command waits for it, once a second, on a thread of its own. Used by the main thread.
 */
final class WaitDisplay implements AutoCloseable {
    private static final long INTERVAL_MILLIS = 1000;

    private final Jobs jobs;
    private final String id;
    private final ChangingLine line;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::show, "jono-wait");

    WaitDisplay(Io io, Jobs jobs, String id) {
        this.jobs = jobs;
        this.id = id;
        this.line = new ChangingLine(io);
        thread.setDaemon(true);
    }

    /** Shows the job from now on. */
    void start() {
        thread.start();
    }

    private void show() {
        try {
            while (!closed.await(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
                look().ifPresent(line::show);
            }
        } catch (InterruptedException e) {
            // Only close() ends this thread.
        }
    }

    private Optional<String> look() {
        try {
            return jobs.get(id).map(WaitDisplay::text);
        } catch (JonoException e) {
            return Optional.empty(); // the wait reports it
        }
    }

    private static String text(JobView job) {
        String state =
                ProgressText.printable(job.id()) + " is " + job.state().name().toLowerCase(Locale.ROOT);
        String progress = ProgressText.of(job);
        return progress.isEmpty() ? state : state + "  " + progress;
    }

    /** Removes the line from a terminal. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(INTERVAL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        line.clear();
    }
}

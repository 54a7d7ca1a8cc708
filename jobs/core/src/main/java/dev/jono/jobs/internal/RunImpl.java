package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job. Its handler, the timer of its timeout, and callers that cancel the job or stop the runner use it at the same time.
 * Progress and log lines are written once a second, by one write at a time, and with the end of the run. Thread-safe.
 */
final class RunImpl {
    private static final long WRITE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JobsContext context;
    private final JobId id;
    private final int attempt;
    private final long keepMillis;
    private volatile long begunNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final JobDocument document;

    @GuardedBy("lock") private final LogBuffer lines = new LogBuffer();

    @GuardedBy("lock") private Instant deadline = Instant.MAX;

    @GuardedBy("lock") private String runner = "";

    @GuardedBy("lock") private @Nullable Instant due;

    @GuardedBy("lock") private @Nullable Instant start;

    @GuardedBy("lock") private boolean changed;

    /** Whether the last progress has not been raised as an event. */
    @GuardedBy("lock") private boolean progressed;

    /** Whether the job has a record, or one is being written. */
    @GuardedBy("lock") private boolean recorded;

    @GuardedBy("lock") private boolean writing;

    /** Completes with the write that is in flight. */
    @GuardedBy("lock") private CompletableFuture<Boolean> landed = CompletableFuture.completedFuture(true);

    @GuardedBy("lock") private JonoClock.@Nullable Timer writeTimer;

    @GuardedBy("lock") private @Nullable Thread thread;

    /** Whether the thread runs no other job at the same time. */
    @GuardedBy("lock") private boolean alone;

    @GuardedBy("lock") private Interruption interruption = Interruption.NONE;

    /** Why a run was interrupted. */
    enum Interruption {
        /** It was not. */
        NONE,
        /** It took too long. */
        TIMEOUT,
        /** The job has ended meanwhile: it was cancelled, or another run has ended it. */
        ENDED,
        /** The runner is stopped. */
        STOP
    }

    /**
     * A run that has not begun.
     *
     * @param keepMillis the retention of the record while the job has not ended
     * @param recorded whether the job has a record
     */
    RunImpl(JobsContext context, JobId id, int attempt, long keepMillis, JobDocument document, boolean recorded) {
        this.context = context;
        this.id = id;
        this.attempt = attempt;
        this.keepMillis = keepMillis;
        this.document = document;
        this.recorded = recorded;
    }

    /**
     * Begins the run on the current thread.
     *
     * @param by the name of the runner
     * @param dueAt the due time of the job
     */
    void begin(String by, Instant dueAt, Duration timeout, boolean aloneOnThread) {
        begunNanos = context.clock.nanos();
        Instant now = Instant.ofEpochMilli(context.clock.wallMillis());
        lock.lock();
        try {
            alone = aloneOnThread;
            thread = Thread.currentThread();
            runner = by;
            due = dueAt;
            start = now;
            deadline = now.plus(timeout);
        } finally {
            lock.unlock();
        }
    }

    JobId jobId() {
        return id;
    }

    String id() {
        return id.toString();
    }

    int attempt() {
        return attempt;
    }

    /** The time since the begin. */
    long runMillis() {
        return TimeUnit.NANOSECONDS.toMillis(context.clock.nanos() - begunNanos);
    }

    /** What the record says about this run, which ends now. */
    JobAttempt endNow(@Nullable String error) {
        lock.lock();
        try {
            return new JobAttempt(attempt, runner, due, start, Instant.ofEpochMilli(context.clock.wallMillis()), error);
        } finally {
            lock.unlock();
        }
    }

    /** The name of the job's batch. */
    Optional<String> batch() {
        lock.lock();
        try {
            return document.batch();
        } finally {
            lock.unlock();
        }
    }

    Instant deadline() {
        lock.lock();
        try {
            return deadline;
        } finally {
            lock.unlock();
        }
    }

    /** Reports progress, with further data as JSON. */
    void progress(long done, long total, @Nullable String json) {
        lock.lock();
        try {
            document.progress(done, total, json);
            progressed = true;
            writeSoon();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a line to the log. */
    void log(String text) {
        LogLine line = new LogLine(context.clock.wallMillis(), attempt, text);
        lock.lock();
        try {
            lines.add(line);
            writeSoon();
        } finally {
            lock.unlock();
        }
    }

    /** The recorded result of a step. */
    Optional<EncodedPayload> recordedStep(String name) {
        lock.lock();
        try {
            return document.step(name);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void writeSoon() {
        changed = true;
        if (writeTimer == null && !writing && thread != null) {
            writeTimer = context.clock.schedule(
                    WRITE_INTERVAL_NANOS, () -> context.execute(this::write)); // its thread must not build documents
        }
    }

    private void write() {
        RecordChange change;
        JobProgress progress;
        lock.lock();
        try {
            writeTimer = null;
            if (!changed || thread == null) {
                return;
            }
            writing = true;
            landed = new CompletableFuture<>();
            change = change(RecordState.OPEN).build();
            progress = takeProgress();
        } finally {
            lock.unlock();
        }
        CompletableFuture<WriteOutcome> written = context.writes.add(change);
        written.whenComplete((outcome, failure) -> written(change.logLines(), progress, outcome, failure));
    }

    private void written(
            List<LogLine> sent,
            @Nullable JobProgress progress,
            @Nullable WriteOutcome outcome,
            @Nullable Throwable failure) {
        if (progress != null && outcome == WriteOutcome.STORED) {
            raise(progress);
        }
        CompletableFuture<Boolean> done;
        lock.lock();
        try {
            writing = false;
            done = landed;
            if (failure != null) {
                lines.putBack(sent);
                changed = true;
                progressed |= progress != null;
            }
            if (changed) {
                writeSoon();
            }
        } finally {
            lock.unlock();
        }
        done.complete(true);
        if (outcome == WriteOutcome.ENDED) {
            interrupt(Interruption.ENDED);
        } else if (failure != null) {
            context.outages.warn(
                    JobsContext.LOG,
                    Answers.unwrap(failure),
                    "progress and log of job {} could not be written yet; the job continues",
                    id);
        }
    }

    /** The last progress, if it is not raised yet. */
    @GuardedBy("lock") private @Nullable JobProgress takeProgress() {
        JobProgress last = progressed ? document.progress().orElse(null) : null;
        progressed = false;
        return last;
    }

    private void raise(JobProgress progress) {
        context.events.raise(JobEvent.Kind.PROGRESS, id, attempt, progress, null);
    }

    /** Raises an event of this run, and the last progress before it. */
    void raise(JobEvent.Kind kind, @Nullable String reason) {
        JobProgress last;
        lock.lock();
        try {
            last = takeProgress();
        } finally {
            lock.unlock();
        }
        if (last != null) {
            raise(last);
        }
        context.events.raise(kind, id, attempt, reason);
    }

    /** A change of the record with everything that the job has reported so far. */
    @GuardedBy("lock") private RecordChange.Builder change(RecordState state) {
        List<LogLine> reported = lines.take();
        changed = false;
        recorded = true;
        return RecordChange.builder()
                .id(id.toString())
                .type(id.type())
                .attempt(attempt)
                .state(state)
                .document(document.text())
                .tags(JobTags.of(document))
                .logLines(reported)
                .keepMillis(keepMillis);
    }

    /** Changes the document, and returns the write of it. */
    RecordChange.Builder change(RecordState state, Consumer<JobDocument> edit) {
        lock.lock();
        try {
            edit.accept(document);
            return change(state);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the write in flight, after {@link #finish}: what it could not write is in the next change. */
    void awaitWrite() {
        CompletableFuture<Boolean> last;
        lock.lock();
        try {
            last = landed;
        } finally {
            lock.unlock();
        }
        try {
            context.answer(last);
        } catch (JonoException late) {
            context.outages.warn(JobsContext.LOG, late, "the last log lines of job {} may be lost", id);
        }
    }

    /** Whether the job has a record, or reports that are not written. */
    boolean hasRecord() {
        lock.lock();
        try {
            return recorded || changed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there are reports that are not written. */
    boolean hasChanged() {
        lock.lock();
        try {
            return changed;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the handler, if it runs. Only the first reason counts. */
    void interrupt(Interruption why) {
        lock.lock();
        try {
            if (interruption == Interruption.NONE && thread != null) {
                interruption = why;
                if (alone || why != Interruption.ENDED) {
                    thread.interrupt();
                }
            }
        } catch (RuntimeException broken) {
            // A thread of the application can override interrupt().
            context.outages.warn(JobsContext.LOG, broken, "the handler of job {} could not be interrupted", id);
        } finally {
            lock.unlock();
        }
    }

    /** The handler has returned: {@link #interrupt} has no effect after this. */
    Interruption finish() {
        lock.lock();
        try {
            thread = null;
            if (writeTimer != null) {
                writeTimer.cancel();
                writeTimer = null;
            }
            if (interruption != Interruption.NONE) {
                Thread.interrupted(); // clears the interrupt that this run has set
            }
            return interruption;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the job has ended meanwhile. */
    boolean cancelled() {
        lock.lock();
        try {
            return interruption == Interruption.ENDED;
        } finally {
            lock.unlock();
        }
    }
}

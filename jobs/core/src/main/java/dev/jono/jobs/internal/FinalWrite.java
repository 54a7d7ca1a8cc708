package dev.jono.jobs.internal;

import dev.jono.JonoException;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.WriteOutcome;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The write that ends a job. If the store does not answer, it is repeated for half a minute, while the heartbeat extends the lease.
 * After that the job ends without its record: the loss is logged and counted, because other jobs must run. Used by one thread.
 */
final class FinalWrite {
    private static final int ATTEMPTS = 6;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JobsContext context;
    private final RecordChange change;

    FinalWrite(JobsContext context, RecordChange change) {
        this.context = context;
        this.change = change;
    }

    /** Writes; null if the record is lost. An interrupt ends the repetitions. */
    @Nullable WriteOutcome store() {
        long pause = FIRST_PAUSE_NANOS;
        for (int attempt = 1; ; attempt++) {
            try {
                WriteOutcome outcome = context.write(change);
                return attempt > 1 && outcome == WriteOutcome.ENDED && isStored() ? WriteOutcome.STORED : outcome;
            } catch (JonoException failure) {
                if (attempt == ATTEMPTS || !paused(pause)) {
                    long lost = context.lostRecords.incrementAndGet();
                    context.outages.warn(
                            JobsContext.LOG,
                            failure,
                            "the record of the end of job {} could not be written and may be lost; {} such records in this"
                                    + " process",
                            change.id(),
                            lost);
                    return null;
                }
            }
            pause *= 2;
        }
    }

    /** Whether an earlier attempt has stored the record, and its reply was lost. */
    private boolean isStored() {
        return context.read(change.id())
                .filter(record -> record.state() == change.state()
                        && record.attempt() == change.attempt()
                        && record.document().equals(change.document()))
                .isPresent();
    }

    private boolean paused(long nanos) {
        try {
            Answers.pause(context.clock, nanos);
            return true;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/** Removes payloads of waiting jobs that dead processes have left. {@link Watch} calls it at intervals in each process that has runners. Thread-safe. */
final class LatestSweep {
    private final JobsContext context;
    private final LatestPayloads payloads;
    private final ReentrantLock lock = new ReentrantLock();

    /** The name behind which the next page begins. */
    @GuardedBy("lock") private String after = "";

    LatestSweep(JobsContext context) {
        this.context = context;
        this.payloads = new LatestPayloads(context);
    }

    /** Looks at one page, unless another look is in progress. */
    void look() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            after = payloads.sweep(after);
        } catch (RuntimeException failure) {
            context.outages.warn(
                    JobsContext.LOG, failure, "unused payloads of jobs could not be removed; tried again later");
        } finally {
            lock.unlock();
        }
    }
}

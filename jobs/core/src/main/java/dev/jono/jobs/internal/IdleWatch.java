package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls back when a runner has become idle: no job of its types is due or running, in any process. Paused types do not count. After the
 * start, and after a run has begun, it looks at growing intervals until the runner is idle. Then it rests until the next run begins.
 * Without a callback it never looks. One look at a time, on a thread of the executor. Thread-safe.
 */
final class IdleWatch {
    private static final Logger LOG = LoggerFactory.getLogger(JobsContext.LOG);
    private static final long FIRST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LAST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final JobsContext context;
    private final List<TypeQueues> types;
    private final @Nullable Runnable callback;
    private final ReentrantLock lock = new ReentrantLock();

    /** The number of runs that have begun. */
    @GuardedBy("lock") private long begun;

    /** Whether a look is planned or in progress. */
    @GuardedBy("lock") private boolean looking;

    @GuardedBy("lock") private long waitNanos;

    @GuardedBy("lock") private JonoClock.@Nullable Timer timer;

    @GuardedBy("lock") private boolean closed;

    /**
     * Watches a runner of these types.
     *
     * @param callback is called once each time; null if the runner is not watched
     */
    IdleWatch(JobsContext context, List<String> types, @Nullable Runnable callback) {
        this.context = context;
        this.types = types.stream().map(context::queues).toList();
        this.callback = callback;
    }

    /** Begins to look. */
    void start() {
        lock.lock();
        try {
            lookUnlessLooking();
        } finally {
            lock.unlock();
        }
    }

    /** A run begins. */
    void begin() {
        if (callback == null) {
            return;
        }
        lock.lock();
        try {
            begun++;
            lookUnlessLooking();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the looks. A callback that has begun continues. */
    void close() {
        lock.lock();
        try {
            closed = true;
            if (timer != null) {
                timer.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void lookUnlessLooking() {
        if (!looking && callback != null) {
            looking = true;
            plan(FIRST_LOOK_NANOS);
        }
    }

    @GuardedBy("lock") private void plan(long nanos) {
        waitNanos = nanos;
        if (!closed) {
            timer = context.clock.schedule(nanos, () -> context.execute(this::look));
        }
    }

    private void look() {
        long before = begun();
        boolean idle = tryIsIdle() && noneSince(before);
        if (idle) {
            call();
        }
        lock.lock();
        try {
            looking = !idle || begun != before;
            if (looking) {
                plan(idle ? FIRST_LOOK_NANOS : Math.min(2 * waitNanos, LAST_LOOK_NANOS));
            }
        } finally {
            lock.unlock();
        }
    }

    private long begun() {
        lock.lock();
        try {
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /** Whether no run has begun since, and the runner has not been stopped. */
    private boolean noneSince(long before) {
        lock.lock();
        try {
            return begun == before && !closed;
        } finally {
            lock.unlock();
        }
    }

    private void call() {
        try {
            if (callback != null) {
                callback.run();
            }
        } catch (Throwable failure) {
            LOG.warn("the callback of an idle runner has failed", failure);
        }
    }

    private boolean tryIsIdle() {
        try {
            return isIdle();
        } catch (RuntimeException failure) {
            context.outages.warn(
                    JobsContext.LOG, failure, "the queues of an idle runner could not be counted; tried again soon");
            return false;
        }
    }

    /**
     * Whether no job is due or running. The end of a batch enqueues jobs, so the ends of its jobs are counted first. The queues are not
     * counted at one moment: if a job of a batch has ended meanwhile, a queue that was counted before may have got a job.
     */
    boolean isIdle() {
        long before = context.batchCounts.additions();
        return context.batchCounts.isIdle()
                && types.stream().flatMap(type -> type.all().stream()).allMatch(IdleWatch::isIdle)
                && context.batchCounts.additions() == before;
    }

    private static boolean isIdle(MessageQueue<?> queue) {
        QueueCounts counts = queue.counts();
        return counts.reserved() == 0 && (counts.ready() == 0 || queue.isPaused());
    }
}

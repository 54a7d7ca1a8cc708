package dev.jono.internal.concurrent;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.JonoClock;
import dev.jono.internal.log.Log;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the callbacks of the application on its executor, several in a row on one thread: a thread for each would cost more
 * than everything else that the engine does for a message. A callback may block, and may even wait for another callback. So
 * a thread that stays in one callback for some milliseconds while others wait is replaced by a new thread.
 *
 * <p>Called by the engine on any thread. Thread-safe.
 */
public final class CallbackExecutor {
    private static final Log LOG = Log.named("dev.jono");

    /** How long a callback may delay those that wait. */
    private static final long HELD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** This many waiting callbacks for each thread call for one more thread, up to the number of processors. */
    private static final int BACKLOG = 64;

    private final List<Executor> executors;
    private final Executor helpers;

    /** The host's time: a test may move the clock of the factory, but threads block in real time. */
    private final JonoClock real;

    private final int maxThreads = Runtime.getRuntime().availableProcessors();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Threads that run callbacks, without those that were replaced. */
    private final AtomicInteger activeThreads = new AtomicInteger();

    private final Set<Runner> runners = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watched = new AtomicBoolean();

    /** Set on a thread that submits many callbacks as one. */
    private final ThreadLocal<Boolean> gathering = new ThreadLocal<>();

    /** Set on a thread that runs callbacks. */
    private final ThreadLocal<Boolean> running = new ThreadLocal<>();

    /** Runs callbacks on the threads for the application's code, and on those of the drivers where these refuse. */
    public CallbackExecutor(FactoryThreads threads) {
        this.executors = List.of(threads.users(), threads.drivers());
        this.helpers = threads.helpers();
        this.real = threads.real();
    }

    /**
     * Runs a task that submits many callbacks, and starts a thread for them at its end. A thread that was started for the
     * first one would be faster than the task, end, and have to be started again for the next.
     */
    public void submitAsOne(Runnable submissions) {
        if (gathering.get() != null) {
            submissions.run();
            return;
        }
        gathering.set(true);
        try {
            submissions.run();
        } finally {
            gathering.remove();
            int backlog = count.get();
            if (backlog > 0) {
                start(backlog);
            }
        }
    }

    /**
     * Runs a step of the engine. If a callback requests it, the step runs after the callbacks that are queued already:
     * callbacks begin calls, and the first call would be sent alone although others are about to follow. A callback that
     * blocks until the step is done is replaced like any other that blocks.
     */
    void runAfterQueued(Runnable step) {
        if (running.get() != null && !waiting.isEmpty()) {
            enqueueStep(step);
        } else {
            step.run();
        }
    }

    /**
     * Runs a step of the engine after the callbacks that are queued already, or soon, if one of them blocks or no thread
     * can be had.
     */
    public void enqueueStep(Runnable step) {
        run(new Step(step));
        watch(); // the executor may have no thread for it
    }

    /** A step of the engine. It never blocks, so it may run on any thread. */
    private record Step(Runnable step) implements Runnable {
        @Override
        public void run() {
            step.run();
        }
    }

    public void run(Runnable callback) {
        waiting.add(callback);
        int backlog = count.incrementAndGet();
        if (gathering.get() == null) {
            start(backlog);
        }
    }

    private void start(int backlog) {
        int now = activeThreads.get();
        boolean few = now == 0 || (backlog > BACKLOG * now && now < maxThreads);
        boolean alone = few && startThread(now) && backlog == 1;
        if (!alone) {
            watch();
        }
    }

    /** Starts a thread if there are still this many; false if there are not. */
    @CanIgnoreReturnValue
    private boolean startThread(int now) {
        if (!activeThreads.compareAndSet(now, now + 1)) {
            // Another thread was started, or one has ended and then checked once more.
            return false;
        }
        Runner runner = new Runner();
        for (Executor executor : executors) {
            OnceTask once = new OnceTask(runner);
            try {
                executor.execute(once);
                return true;
            } catch (Throwable refused) {
                LOG.debug("an executor refused a callback", refused);
                if (!once.takeOver()) {
                    return true; // the executor threw, but runs the task
                }
            }
        }
        // Otherwise a callback would never run.
        runner.run();
        return true;
    }

    private void watch() {
        if (!watched.get() && watched.compareAndSet(false, true)) {
            real.schedule(HELD_UP_NANOS, this::checkOnHelper);
        }
    }

    /** The executor of the application may block the thread that submits: that should not be the thread of the clock. */
    private void checkOnHelper() {
        OnceTask check = new OnceTask(this::replaceBlockedThreads);
        try {
            helpers.execute(check);
        } catch (RuntimeException | Error refused) {
            LOG.debug("no thread to look after callbacks", refused);
            check.run();
        }
    }

    /** Replaces the threads that are blocked while callbacks wait. */
    private void replaceBlockedThreads() {
        watched.set(false);
        if (waiting.isEmpty()) {
            return;
        }
        long now = real.nanos();
        boolean heldUp = false;
        for (Runner runner : runners) {
            if (now - runner.sinceNanos > HELD_UP_NANOS) {
                runner.retire();
                heldUp = true;
            }
        }
        if (heldUp || runners.isEmpty()) {
            runSteps();
        }
        startThread(0);
        watch();
    }

    /**
     * Runs the waiting steps here: an executor of one thread has no other to offer, and its callback may wait for a step.
     */
    private void runSteps() {
        for (Runnable next : List.copyOf(waiting)) {
            if (next instanceof Step && waiting.remove(next)) {
                count.decrementAndGet();
                guarded(next);
            }
        }
    }

    private static void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable failure) {
            LOG.warn("a callback of the application threw", failure);
        }
    }

    private final class Runner implements Runnable {
        private final AtomicBoolean active = new AtomicBoolean(true);
        private volatile long sinceNanos = real.nanos();

        @Override
        public void run() {
            sinceNanos = real.nanos();
            runners.add(this);
            running.set(true);
            try {
                while (active.get()) {
                    Runnable next = waiting.poll();
                    if (next != null) {
                        count.decrementAndGet();
                        guarded(next);
                        // An interrupt that was meant for one callback must not reach the next.
                        Thread.interrupted();
                        sinceNanos = real.nanos();
                    } else if (leave()) {
                        return;
                    }
                }
            } finally {
                running.remove();
                runners.remove(this);
            }
        }

        /** Makes this thread end after its callback; false if it was told so before. */
        @CanIgnoreReturnValue
        boolean retire() {
            boolean retired = active.compareAndSet(true, false);
            if (retired) {
                activeThreads.decrementAndGet();
            }
            return retired;
        }

        /** Ends the loop, unless a callback came meanwhile and no other thread is there to run it. */
        private boolean leave() {
            if (!retire() || waiting.isEmpty() || !activeThreads.compareAndSet(0, 1)) {
                return true;
            }
            active.set(true);
            return false;
        }
    }
}

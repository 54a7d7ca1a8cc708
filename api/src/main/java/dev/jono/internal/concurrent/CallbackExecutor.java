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
 * Runs the application's callbacks on its executor, many in a row on one thread: handing each to a thread of its own
 * costs more than all else that the engine does for a message. A callback may block, and may even wait for another one;
 * so a thread that stays in one for some milliseconds while others wait loses its place to a fresh thread.
 */
public final class CallbackExecutor {
    private static final Log LOG = Log.named("dev.jono");

    /** How long a callback may keep those behind it. */
    private static final long HELD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** So many waiting for each thread that runs call for one more, up to the number of processors. */
    private static final int BACKLOG = 64;

    private final List<Executor> executors;
    private final Executor helpers;

    /** Not the factory's clock, which may be a test's: what is measured is a thread. */
    private final JonoClock real;

    private final int most = Runtime.getRuntime().availableProcessors();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    /** Threads that go on to the next callback; not those that are held up in one. */
    private final AtomicInteger going = new AtomicInteger();

    private final Set<Runner> runners = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean watched = new AtomicBoolean();

    /** Set on a thread that hands in many. */
    private final ThreadLocal<Boolean> gathering = new ThreadLocal<>();

    /** Set on a thread that runs callbacks. */
    private final ThreadLocal<Boolean> running = new ThreadLocal<>();

    /** Runs them on the threads for users' code; on those of the drivers where these refuse. */
    public CallbackExecutor(FactoryThreads threads) {
        this.executors = List.of(threads.users(), threads.drivers());
        this.helpers = threads.helpers();
        this.real = threads.real();
    }

    /**
     * Runs what hands in many callbacks, and starts them when all are there: a thread that runs them is faster than one
     * that hands them in, so it would end, and be started again, between any two.
     */
    public void submitAsOne(Runnable handsIn) {
        if (gathering.get() != null) {
            handsIn.run();
            return;
        }
        gathering.set(true);
        try {
            handsIn.run();
        } finally {
            gathering.remove();
            int behind = count.get();
            if (behind > 0) {
                start(behind);
            }
        }
    }

    /**
     * Runs a step of the engine's; if a callback asks for it, behind those that wait already. Callbacks begin calls: the
     * first would leave at once and alone, though others are about to follow. Whoever blocks in a callback until the
     * step is done is held up, and so loses its place to a thread that gets there.
     */
    void runAfterQueued(Runnable step) {
        if (running.get() != null && !waiting.isEmpty()) {
            enqueueStep(step);
        } else {
            step.run();
        }
    }

    /** Runs a step of the engine's behind the callbacks that wait already, but soon where one blocks, or none can run. */
    public void enqueueStep(Runnable step) {
        run(new Step(step));
        watch(); // the executor may have no thread for it
    }

    /** A step of the engine's, which never blocks: it may run on any thread. */
    private static final class Step implements Runnable {
        private final Runnable step;

        Step(Runnable step) {
            this.step = step;
        }

        @Override
        public void run() {
            step.run();
        }
    }

    public void run(Runnable callback) {
        waiting.add(callback);
        int behind = count.incrementAndGet();
        if (gathering.get() == null) {
            start(behind);
        }
    }

    private void start(int behind) {
        int now = going.get();
        boolean few = now == 0 || (behind > BACKLOG * now && now < most);
        boolean alone = few && startBeside(now) && behind == 1;
        if (!alone) {
            watch();
        }
    }

    /** Starts a thread if there are still so many; false if there are not. */
    @CanIgnoreReturnValue
    private boolean startBeside(int now) {
        if (!going.compareAndSet(now, now + 1)) {
            // Somebody else has started one, or one has ended, and then looked once more.
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
                if (!once.claim()) {
                    return true; // it runs all the same
                }
            }
        }
        // Nobody may wait for ever.
        runner.run();
        return true;
    }

    private void watch() {
        if (!watched.get() && watched.compareAndSet(false, true)) {
            real.schedule(HELD_UP_NANOS, this::handOver);
        }
    }

    /** An executor of the application's may block who hands in: not the clock's thread, unless there is no other. */
    private void handOver() {
        OnceTask look = new OnceTask(this::look);
        try {
            helpers.execute(look);
        } catch (RuntimeException | Error refused) {
            LOG.debug("no thread to look after callbacks", refused);
            look.run();
        }
    }

    /** Threads that are held up, while callbacks wait, lose their places. */
    private void look() {
        watched.set(false);
        if (waiting.isEmpty()) {
            return;
        }
        long now = real.nanos();
        boolean heldUp = false;
        for (Runner runner : runners) {
            if (now - runner.sinceNanos > HELD_UP_NANOS) {
                runner.losePlace();
                heldUp = true;
            }
        }
        if (heldUp || runners.isEmpty()) {
            runSteps();
        }
        startBeside(0);
        watch();
    }

    /** An executor of one thread has none to give beside the one that is held up, perhaps by waiting for such a step. */
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
        private final AtomicBoolean hasPlace = new AtomicBoolean(true);
        private volatile long sinceNanos = real.nanos();

        @Override
        public void run() {
            sinceNanos = real.nanos();
            runners.add(this);
            running.set(true);
            try {
                while (hasPlace.get()) {
                    Runnable next = waiting.poll();
                    if (next != null) {
                        count.decrementAndGet();
                        guarded(next);
                        // An interrupt meant for one callback is not for the next.
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

        /** False if it has none. */
        @CanIgnoreReturnValue
        boolean losePlace() {
            boolean lost = hasPlace.compareAndSet(true, false);
            if (lost) {
                going.decrementAndGet();
            }
            return lost;
        }

        /** Gives up the place, unless something came as it did so and nobody else is there to run it. */
        private boolean leave() {
            if (!losePlace() || waiting.isEmpty() || !going.compareAndSet(0, 1)) {
                return true;
            }
            hasPlace.set(true);
            return false;
        }
    }
}

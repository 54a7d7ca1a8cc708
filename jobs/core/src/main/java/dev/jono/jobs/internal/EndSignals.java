package dev.jono.jobs.internal;

import dev.jono.JonoClock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Wakes the callers that wait for the end of a job, when this process ends it or hears of its end. Thread-safe. */
final class EndSignals {
    private final Map<String, Set<Waiter>> waiters = new ConcurrentHashMap<>();

    /** One caller that waits for one job. Used by one thread; signalled by any thread. */
    final class Waiter implements AutoCloseable {
        private final String job;
        private final Semaphore wake = new Semaphore(0);
        private volatile boolean ended;

        private Waiter(String job) {
            this.job = job;
        }

        /** Waits for a time, or until the job ends. Returns whether it has ended since the last call. */
        boolean pause(JonoClock clock, long nanos) throws InterruptedException {
            JonoClock.Timer timer = clock.schedule(nanos, wake::release);
            try {
                wake.acquire();
            } finally {
                timer.cancel();
            }
            wake.drainPermits();
            boolean now = ended;
            ended = false;
            return now;
        }

        private void signal() {
            ended = true;
            wake.release();
        }

        @Override
        public void close() {
            waiters.computeIfPresent(job, (id, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** Begins to wait. */
    Waiter await(String job) {
        Waiter waiter = new Waiter(job);
        waiters.compute(job, (id, all) -> {
            Set<Waiter> known = all == null ? ConcurrentHashMap.newKeySet() : all;
            known.add(waiter);
            return known;
        });
        return waiter;
    }

    /** The job has ended, or was removed. */
    void ended(String job) {
        Set<Waiter> all = waiters.get(job);
        if (all != null) {
            all.forEach(Waiter::signal);
        }
    }
}

package dev.jono.outbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.spi.OutageLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Relays messages of the outbox to their queues, on a thread of its own. A message is deleted after its push, so a crash in
 * between repeats the push. Thread-safe.
 */
final class Relay implements Runnable {
    private static final String LOGGER = "dev.jono.outbox";
    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final OutboxTable table;
    private final Delivery delivery;
    private final RelayLease lease;
    private final Duration pollInterval;
    private final int batch;
    private final JonoClock clock = JonoClock.system();
    private final OutageLog outages = new OutageLog(clock);
    private final Thread thread = new Thread(this, "jono-outbox");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private boolean woken;

    @GuardedBy("lock") private boolean closed;

    Relay(OutboxTable table, Delivery delivery, RelayLease lease, Duration pollInterval, int batch) {
        this.table = table;
        this.delivery = delivery;
        this.lease = lease;
        this.pollInterval = pollInterval;
        this.batch = batch;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** There may be messages: the relay looks now. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        Duration pause = pollInterval;
        while (sleep(pause)) {
            try {
                pause = relay() ? Duration.ZERO : pollInterval;
            } catch (RuntimeException | Error failure) {
                outages.warn(LOGGER, failure, "messages of the outbox could not be relayed, and stay in it");
                pause = longer(pause);
            }
        }
        try {
            table.run("giving the relay up", lease::release);
        } catch (RuntimeException failure) {
            LOG.debug("another process relays only after some seconds", failure);
        }
    }

    private Duration longer(Duration pause) {
        Duration next = pause.isZero() ? pollInterval : pause.multipliedBy(2);
        return next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
    }

    /** Relays some messages; returns whether there are more. */
    private boolean relay() {
        List<OutboxRow> rows = table.run("reading messages", connection -> {
            List<OutboxRow> first = table.next(connection, 1);
            boolean mine = !first.isEmpty() && lease.hold(connection, clock.nanos());
            return mine ? table.next(connection, batch) : List.of();
        });
        if (rows.isEmpty()) {
            return false;
        }
        Delivery.Result result = delivery.deliver(rows);
        table.run("deleting relayed messages", connection -> {
            table.delete(connection, result.done);
            table.refuse(connection, result.refused);
            return result;
        });
        result.refused.forEach((number, reason) ->
                LOG.warn("message {} of the outbox is refused, and stays in it: {}", number, reason));
        if (result.failure != null) {
            outages.warn(LOGGER, result.failure, "messages of the outbox could not be pushed, and stay in it");
            return false;
        }
        return rows.size() == batch;
    }

    /** Waits until there may be messages; returns false when the relay is to end. */
    private boolean sleep(Duration pause) {
        lock.lock();
        try {
            long left = pause.toNanos();
            while (!woken && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            return !closed;
        } catch (InterruptedException end) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

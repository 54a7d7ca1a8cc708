package dev.jono.outbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.QueueFactory;
import dev.jono.spi.OutageLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Relays messages of the outbox to their queues, on a thread of its own. Queues are independent: while the pushes of one are in
 * flight, or it waits after a failure, the thread reads the messages of the others. A message is deleted after its push, so a
 * crash in between repeats the push. Thread-safe.
 */
final class Relay implements Runnable {
    private static final String LOGGER = "dev.jono.outbox";
    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private final OutboxTable table;
    private final QueueFactory jono;
    private final RelayLease lease;
    private final Duration pollInterval;
    private final int batch;
    private final JonoClock clock = JonoClock.system();
    private final OutageLog outages = new OutageLog(clock);
    private final Backoffs backoffs;

    /** The pushes that are not finished, by queue. Used by the thread. */
    private final Map<String, Delivery> inFlight = new HashMap<>();

    private final Thread thread = new Thread(this, "jono-outbox");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private boolean woken;

    @GuardedBy("lock") private boolean closed;

    Relay(OutboxTable table, QueueFactory jono, RelayLease lease, Duration pollInterval, int batch) {
        this.table = table;
        this.jono = jono;
        this.lease = lease;
        this.pollInterval = pollInterval;
        this.batch = batch;
        this.backoffs = new Backoffs(pollInterval);
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
        int failures = 0;
        while (sleep(pause)) {
            try {
                relay();
                pause = pollInterval;
                failures = 0;
            } catch (RuntimeException | Error failure) {
                outages.warn(LOGGER, failure, "messages of the outbox could not be relayed, and stay in it");
                failures++;
                pause = backoffs.delay(failures);
            }
        }
        try {
            inFlight.values().forEach(each -> each.end().join());
            finishPushes();
            table.run("giving the relay up", lease::release);
        } catch (RuntimeException failure) {
            LOG.debug("another process relays only after some seconds", failure);
        }
    }

    /** Starts the pushes of some messages. Their end wakes the thread. */
    private void relay() {
        finishPushes();
        Set<String> others = backoffs.waiting(clock.nanos());
        others.addAll(inFlight.keySet());
        List<OutboxRow> rows = table.run("reading messages", connection -> {
            boolean mine = table.hasNext(connection) && lease.hold(connection, clock.nanos());
            return mine ? table.next(connection, batch, others) : List.of();
        });
        Map<String, List<OutboxRow>> byQueue = new LinkedHashMap<>();
        rows.forEach(row ->
                byQueue.computeIfAbsent(row.queue(), queue -> new ArrayList<>()).add(row));
        byQueue.forEach((queue, messages) -> {
            Delivery delivery = new Delivery(jono, messages);
            inFlight.put(queue, delivery);
            delivery.end().thenRun(this::wake);
        });
    }

    private void finishPushes() {
        for (Map.Entry<String, Delivery> each : List.copyOf(inFlight.entrySet())) {
            if (each.getValue().end().isDone()) {
                finish(each.getKey(), each.getValue().result());
                inFlight.remove(each.getKey());
            }
        }
    }

    private void finish(String queue, Delivery.Result result) {
        table.run("deleting relayed messages", connection -> {
            table.delete(connection, result.done);
            table.refuse(connection, result.refused);
            return result;
        });
        result.refused.forEach((number, reason) ->
                LOG.warn("message {} of the outbox is refused, and stays in it: {}", number, reason));
        if (result.failure == null || !result.done.isEmpty()) {
            backoffs.worked(queue);
        }
        if (result.failure != null) {
            backoffs.failed(queue, clock.nanos());
            outages.warn(
                    LOGGER,
                    result.failure,
                    "messages of the outbox could not be pushed to queue '{}', and stay in it",
                    queue);
        }
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

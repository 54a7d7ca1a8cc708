package dev.jono.signal.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends signals by {@code NOTIFY}. Commits of transactions with a {@code NOTIFY} wait for one another in the whole server, so
 * signals are sent outside the transactions of messages, many by one statement, and at most once in 10 ms: the first one at
 * once, those that come meanwhile together. Thread-safe.
 */
final class Publisher {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String NOTIFY = "SELECT pg_notify(?, payload) FROM unnest(?::text[]) AS payload";

    private final PostgresLink link;
    private final String namespace;
    private final String channel;
    private final JonoClock clock;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    /** The signals to send, by queue. */
    @GuardedBy("lock") private Map<String, Pending> pending = new LinkedHashMap<>();

    /** Whether signals are being sent, or will be. */
    @GuardedBy("lock") private boolean busy;

    /** When signals may be sent again. */
    @GuardedBy("lock") private long nextNanos;

    Publisher(PostgresLink link, PluginConfig config) {
        this.link = link;
        this.namespace = config.namespace();
        this.channel = SignalMessage.channel(link.options().schema());
        this.clock = config.clock();
        this.executor = config.executor();
        this.nextNanos = clock.nanos();
    }

    /** The signals of one queue that are sent together: the earliest due time, and the last pause or its end. */
    private static final class Pending {
        private final Map<Boolean, Signal> signals = new LinkedHashMap<>();
        private final CompletableFuture<Void> sent = new CompletableFuture<>();

        void add(Signal signal) {
            boolean inserted = signal.kind() == Signal.Kind.INSERTED;
            signals.merge(inserted, signal, (old, next) -> inserted && old.dueMillis() < next.dueMillis() ? old : next);
        }
    }

    CompletionStage<Void> publish(Signal signal) {
        CompletableFuture<Void> sent;
        lock.lock();
        try {
            Pending queue = pending.computeIfAbsent(signal.queue(), name -> new Pending());
            queue.add(signal);
            sent = queue.sent;
        } finally {
            lock.unlock();
        }
        sendPending();
        return sent;
    }

    /** Sends the pending signals now, or when 10 ms have passed since the last ones. Does nothing if they are being sent. */
    private void sendPending() {
        long waitNanos;
        lock.lock();
        try {
            if (busy || pending.isEmpty()) {
                return;
            }
            busy = true;
            waitNanos = nextNanos - clock.nanos();
        } finally {
            lock.unlock();
        }
        try {
            if (waitNanos > 0) {
                clock.schedule(waitNanos, this::execute);
                return;
            }
        } catch (RuntimeException | Error noTimer) {
            LOG.debug("signals are sent at once, because there is no timer", noTimer);
        }
        execute();
    }

    private void execute() {
        try {
            executor.execute(this::send);
        } catch (RuntimeException | Error noThread) {
            take().values().forEach(queue -> queue.sent.completeExceptionally(noThread));
            ended();
        }
    }

    private void ended() {
        lock.lock();
        try {
            busy = false;
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Pending> take() {
        lock.lock();
        try {
            Map<String, Pending> taken = pending;
            pending = new LinkedHashMap<>();
            nextNanos = clock.nanos() + INTERVAL_NANOS;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void send() {
        Map<String, Pending> taken = take();
        List<String> payloads = new ArrayList<>();
        for (Pending queue : taken.values()) {
            queue.signals.values().forEach(signal -> payloads.add(SignalMessage.encode(namespace, signal)));
        }
        try {
            link.single("signal", null, false, tx -> notify(tx, channel, payloads));
            taken.values().forEach(queue -> queue.sent.complete(null));
        } catch (RuntimeException | Error failure) {
            taken.values().forEach(queue -> queue.sent.completeExceptionally(failure));
        } finally {
            ended();
        }
        sendPending();
    }

    static boolean notify(SqlTransaction tx, String channel, List<String> payloads) throws SQLException {
        try (PreparedStatement notify = tx.prepare(NOTIFY)) {
            notify.setString(1, channel);
            notify.setArray(2, tx.texts(payloads));
            return notify.execute();
        }
    }
}

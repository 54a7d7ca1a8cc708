package dev.jono.signal.postgres;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.JonoClock;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.postgres.PostgresLink;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives signals by {@code LISTEN}. While there are listeners, one thread of the factory waits on a connection of its own,
 * and calls them. Each time it begins to listen, at first and after a failure, it reports a gap to all listeners, because
 * signals that were sent before are lost. Thread-safe.
 */
final class Reader {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");
    private static final long RETRY_NANOS = Duration.ofMillis(250).toNanos();
    /** The delay grows up to 4 s. */
    private static final int MAX_DOUBLINGS = 4;
    /** After this time without signals, the reader asks the server whether it is still there. */
    private static final int WAIT_MILLIS = 20_000;
    /** What a reader sends to itself, once in its life. It is no signal, so others ignore it. */
    private static final String CHECK = "check";
    /** After this time without its own {@link #CHECK}, the reader is deaf. */
    private static final int CHECK_MILLIS = 5_000;

    private final PostgresLink link;
    private final String namespace;
    private final String channel;
    private final Executor executor;
    private final JonoClock clock;
    private final OutageLog outages;
    private final Map<String, List<Signaller.Listener>> listeners = new ConcurrentHashMap<>();
    /** Whether a reader runs or is scheduled. */
    private final AtomicBoolean reading = new AtomicBoolean();
    /** Written by the reader only. */
    private int failuresInARow;
    /** Whether this reader has received anything, or has logged that it does not. Written by the reader only. */
    private boolean checked;

    private volatile boolean closed;
    /** The connection that receives all signals that are sent from now on; null before the first, and after a failure. */
    private volatile @Nullable Connection listening;

    Reader(PostgresLink link, PluginConfig config) {
        this.link = link;
        this.namespace = config.namespace();
        this.channel = SignalMessage.channel(link.options().schema());
        this.executor = config.executor();
        this.clock = config.clock();
        this.outages = new OutageLog(clock);
    }

    Signaller.Subscription subscribe(String queue, Signaller.Listener listener) {
        Signaller.Listener own = new Subscriber(listener);
        listeners.compute(queue, (name, present) -> {
            List<Signaller.Listener> all = present == null ? new CopyOnWriteArrayList<>() : present;
            all.add(own);
            return all;
        });
        if (listening != null) {
            // A message may have come in between the caller's last query and this subscription.
            execute(() -> notifyListeners(queue, List.of(own), Signaller.Listener::onGap));
        }
        start();
        return () -> listeners.computeIfPresent(queue, (name, present) -> {
            present.remove(own);
            return present.isEmpty() ? null : present;
        });
    }

    /** Gives each subscription an identity of its own, because the same listener may subscribe twice. */
    private static final class Subscriber implements Signaller.Listener {
        private final Signaller.Listener listener;

        Subscriber(Signaller.Listener listener) {
            this.listener = listener;
        }

        @Override
        public void onSignal(Signal signal) {
            listener.onSignal(signal);
        }

        @Override
        public void onGap() {
            listener.onGap();
        }
    }

    private void start() {
        if (!closed && reading.compareAndSet(false, true)) {
            run();
        }
    }

    /** If there is no thread, the next subscription tries again. */
    private void run() {
        if (!execute(this::readOnce)) {
            reading.set(false);
        }
    }

    @CanIgnoreReturnValue
    private boolean execute(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RuntimeException | Error noThread) {
            LOG.debug("no thread to read signals of {} with", link, noThread);
            return false;
        }
    }

    /** Reads until there are no listeners. After any failure a reader is scheduled again, a little later. */
    private void readOnce() {
        try {
            listen();
        } catch (SQLException | RuntimeException failure) {
            failed(failure);
        } finally {
            listening = null;
            if (closed || listeners.isEmpty()) {
                reading.set(false);
                if (!listeners.isEmpty()) {
                    start(); // a listener subscribed while this reader ended
                }
            } else {
                long waitNanos = RETRY_NANOS << Math.min(MAX_DOUBLINGS, Math.max(0, failuresInARow - 1));
                runLater(waitNanos);
            }
        }
    }

    private void runLater(long waitNanos) {
        try {
            clock.schedule(waitNanos, this::run);
        } catch (RuntimeException | Error noTimer) {
            LOG.debug("signals are read again at the next subscription", noTimer);
            reading.set(false);
        }
    }

    private void failed(Exception failure) {
        if (!closed) {
            failuresInARow++;
            outages.warn(
                    LOG.getName(),
                    failure instanceof SQLException sql ? PostgresLink.failed("receiving signals", sql) : failure,
                    "no signals from {}: trying again; until then consumers see messages of other processes only at the"
                            + " poll interval",
                    link);
        }
    }

    private void listen() throws SQLException {
        Connection connection = link.connection("listening");
        try {
            connection.setAutoCommit(true);
            execute(connection, "LISTEN \"" + channel + '"');
            listening = connection;
            listeners.forEach((queue, all) -> notifyListeners(queue, all, Signaller.Listener::onGap));
            follow(connection);
            execute(connection, "UNLISTEN *");
        } catch (SQLException | RuntimeException | Error failure) {
            link.discard(connection);
            throw failure;
        }
        listening = null; // a pool can hand the connection to another caller
        link.giveBack(connection);
    }

    private void follow(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        CompletableFuture<Boolean> check = checked ? CompletableFuture.completedFuture(true) : sendCheck();
        while (!closed && !listeners.isEmpty()) {
            boolean sent = check.isDone();
            PGNotification[] received = driver.getNotifications(checked ? WAIT_MILLIS : CHECK_MILLIS);
            if (received == null || received.length == 0) {
                execute(connection, "SELECT 1");
                if (sent && !checked) {
                    checked = true;
                    warnIfDeaf(check);
                }
            } else {
                checked = true;
                for (PGNotification each : received) {
                    received(each.getParameter());
                }
            }
            failuresInARow = 0;
        }
    }

    /** Over another connection, because a pooler passes what one connection sends itself. */
    private CompletableFuture<Boolean> sendCheck() {
        return PostgresLink.async(
                        executor,
                        () -> link.single("signal", null, false, tx -> Publisher.notify(tx, channel, List.of(CHECK))))
                .toCompletableFuture();
    }

    private void warnIfDeaf(CompletableFuture<Boolean> check) {
        if (!check.isCompletedExceptionally()) {
            LOG.warn(
                    "no signals from {}: they do not pass a pooler in transaction mode, such as PgBouncer, so consumers see"
                            + " messages of other processes only at the poll interval; set jono.signal=poll, or connect to"
                            + " the server itself",
                    link);
        }
    }

    private void received(String payload) {
        Signal signal = SignalMessage.decode(namespace, payload);
        List<Signaller.Listener> all = signal == null ? null : listeners.get(signal.queue());
        if (signal != null && all != null) {
            notifyListeners(signal.queue(), all, listener -> listener.onSignal(signal));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void notifyListeners(
            String queue, List<Signaller.Listener> all, Consumer<Signaller.Listener> event) {
        for (Signaller.Listener listener : all) {
            try {
                event.accept(listener);
            } catch (RuntimeException failure) {
                LOG.warn("a listener for signals of queue '{}' failed", queue, failure);
            }
        }
    }

    /** Notifies no listener any more, and ends the reader: when its socket is closed, its wait fails, and it closes the rest. */
    void close() {
        closed = true;
        listeners.clear();
        Connection connection = listening;
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException broken) {
                LOG.debug("a connection could not be aborted", broken);
            }
        }
    }
}

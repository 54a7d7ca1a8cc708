package dev.jono.signal.mongocapped;

import com.mongodb.MongoException;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.MongoLink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.bson.RawBsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals over a capped collection. While there are listeners, one thread of the factory's executor, the reader, reads
 * the collection and calls them. Each time it starts to read, at first and after a failure, it reports a gap to all
 * listeners, because it does not read signals that were published before. Thread-safe.
 */
final class MongoCappedSignaller implements Signaller {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");
    private static final long RETRY_NANOS = Duration.ofMillis(250).toNanos();
    /** The delay grows up to 4 s. */
    private static final int MAX_DOUBLINGS = 4;

    private static final long WAKE_TIMEOUT_MILLIS = 500;

    private final MongoLink link;
    private final String namespace;
    private final Executor executor;
    private final JonoClock clock;
    private final Channel channel;
    private final Map<String, List<Listener>> listeners = new ConcurrentHashMap<>();
    /** Whether a reader runs or is scheduled. */
    private final AtomicBoolean reading = new AtomicBoolean();
    /** Written by the reader only. */
    private int failuresInARow;
    /** Whether the present outage was logged. Written by the constructor, and then by the reader only. */
    private boolean warned;

    private volatile boolean closed;
    /** Whether the reader reads all signals that are published from now on. */
    private volatile boolean positioned;

    MongoCappedSignaller(MongoLink link, PluginConfig config) {
        this.link = link;
        this.namespace = config.namespace();
        this.executor = config.executor();
        this.clock = config.clock();
        this.channel = new Channel(link);
        open();
    }

    /**
     * Queues work without signals, so a failure is only logged. Each publish and each start of the reader tries again.
     */
    private void open() {
        try {
            link.call("opening signals", null, false, () -> {
                channel.create();
                return channel;
            });
        } catch (JonoException failure) {
            warned = true;
            LOG.warn(
                    "no signals on {}: trying again; until then consumers see messages of other processes only at the poll interval: {}",
                    link,
                    failure.getMessage());
        }
    }

    @Override
    public CompletionStage<Void> publish(Signal signal) {
        // A signal is only a hint: after a lost answer it simply counts as failed.
        return link.callAsync(executor, "signal", signal.queue(), false, () -> {
                    channel.publish(SignalMessage.encode(SignalMessage.prefix(namespace), signal));
                    return signal;
                })
                .thenAccept(done -> {});
    }

    @Override
    public Subscription subscribe(String queue, Listener listener) {
        Listener own = new Subscriber(listener);
        listeners.compute(queue, (name, present) -> {
            List<Listener> all = present == null ? new CopyOnWriteArrayList<>() : present;
            all.add(own);
            return all;
        });
        if (positioned) {
            // A message may have come in between the caller's last query and this subscription.
            execute(() -> notifyListeners(queue, List.of(own), Listener::onGap));
        }
        startReader();
        return () -> listeners.computeIfPresent(queue, (name, present) -> {
            present.remove(own);
            return present.isEmpty() ? null : present;
        });
    }

    /** Gives each subscription an identity of its own, because the same listener may subscribe twice. */
    private static final class Subscriber implements Listener {
        private final Listener listener;

        Subscriber(Listener listener) {
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

    private void startReader() {
        if (!closed && reading.compareAndSet(false, true)) {
            execute(this::readOnce);
        }
    }

    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.debug("no thread to read signals with: {} is being closed", link);
        }
    }

    /** Reads until there are no listeners. After any failure a reader is scheduled again, a little later. */
    private void readOnce() {
        try {
            channel.create();
            try (Channel.Tail tail = channel.tail()) {
                follow(tail);
            }
        } catch (RuntimeException failure) {
            failed(failure);
        } finally {
            positioned = false;
            if (closed || listeners.isEmpty()) {
                reading.set(false);
                if (!listeners.isEmpty()) {
                    startReader(); // a listener subscribed while this reader ended
                }
            } else {
                long waitNanos = RETRY_NANOS << Math.min(MAX_DOUBLINGS, Math.max(0, failuresInARow - 1));
                clock.schedule(waitNanos, () -> execute(this::readOnce));
            }
        }
    }

    private void failed(RuntimeException failure) {
        if (closed) {
            return;
        }
        failuresInARow++;
        // The server closes a cursor when the primary changes or signals overtake the reader; the next reader repairs
        // that.
        boolean ordinary = failuresInARow == 1 && failure instanceof MongoException;
        if (!ordinary && !warned) {
            warned = true;
            LOG.warn(
                    "reading signals on {} failed: trying again; until then consumers see messages of other processes only at the"
                            + " poll interval: {}",
                    link,
                    failure instanceof MongoException ? MongoErrors.text(failure) : OutageLog.reason(failure));
        }
        LOG.debug("reading signals on {} failed: trying again", link, failure);
    }

    private void follow(Channel.Tail tail) {
        String prefix = SignalMessage.prefix(namespace);
        while (!closed && !listeners.isEmpty()) {
            if (!positioned) {
                // The cursor is open: all signals from now on are read.
                positioned = true;
                listeners.forEach((queue, all) -> notifyListeners(queue, all, Listener::onGap));
            }
            RawBsonDocument document = tail.next();
            if (document != null) {
                Signal signal = SignalMessage.decode(prefix, document);
                List<Listener> all = signal == null ? null : listeners.get(signal.queue());
                if (signal != null && all != null) {
                    notifyListeners(signal.queue(), all, listener -> listener.onSignal(signal));
                }
            } else if (tail.ended()) {
                return;
            }
            failuresInARow = 0;
            warned = false;
        }
    }

    private static void notifyListeners(String queue, List<Listener> all, Consumer<Listener> event) {
        for (Listener listener : all) {
            try {
                event.accept(listener);
            } catch (RuntimeException failure) {
                LOG.warn("a listener for signals of queue '{}' failed", queue, failure);
            }
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listeners.clear();
        if (positioned) {
            wakeReader();
        }
        link.close();
    }

    /** Ends the reader's wait, which otherwise lasts up to a second. */
    private void wakeReader() {
        try {
            channel.wakeReaders(WAKE_TIMEOUT_MILLIS);
        } catch (MongoException | IllegalStateException failure) {
            LOG.debug("the reader of signals on {} ends a little later", link, failure);
        }
    }

    @Override
    public String toString() {
        return "mongo-capped of namespace '" + namespace + "' on " + link;
    }
}

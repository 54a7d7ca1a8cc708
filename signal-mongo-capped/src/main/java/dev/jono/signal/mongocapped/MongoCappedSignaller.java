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
 * Signals over a capped collection. One thread of the factory reads it while anybody listens to anything. Whenever it begins
 * to read, at first and after any failure, all listeners are told of a gap: what was published in between is not read.
 */
final class MongoCappedSignaller implements Signaller {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");
    private static final long RETRY_NANOS = Duration.ofMillis(250).toNanos();
    /** Up to 4 s. */
    private static final int MOST_DOUBLINGS = 4;

    private static final long WAKE_MILLIS = 500;

    private final MongoLink link;
    private final String namespace;
    private final Executor executor;
    private final JonoClock clock;
    private final Channel channel;
    private final Map<String, List<Listener>> listeners = new ConcurrentHashMap<>();
    /** Whether a thread reads, or is about to. */
    private final AtomicBoolean reading = new AtomicBoolean();
    /** In a row; the reader's alone. */
    private int failuresInARow;
    /** Whether they are; the constructor's, and then the reader's alone. */
    private boolean warned;

    private volatile boolean closed;
    private volatile boolean positioned;

    MongoCappedSignaller(MongoLink link, PluginConfig config) {
        this.link = link;
        this.namespace = config.namespace();
        this.executor = config.executor();
        this.clock = config.clock();
        this.channel = new Channel(link);
        open();
    }

    /** Queues work without signals: without a channel this is a warning, and each publish and look tries to make it. */
    private void open() {
        try {
            link.call("opening signals", null, false, () -> {
                channel.create();
                return channel;
            });
        } catch (JonoException failure) {
            warned = true;
            LOG.warn(
                    "no signals on {}: trying again; until then messages of other processes are seen at the poll interval: {}",
                    link,
                    failure.getMessage());
        }
    }

    @Override
    public CompletionStage<Void> publish(Signal signal) {
        // Not a change that somebody relies on: one whose answer is lost has failed, and that is all.
        return link.callAsync(executor, "signal", signal.queue(), false, () -> {
                    channel.publish(SignalMessage.encode(SignalMessage.prefix(namespace), signal));
                    return signal;
                })
                .thenAccept(done -> {});
    }

    @Override
    public Subscription subscribe(String queue, Listener listener) {
        Listener own = new OnceSubscribed(listener);
        listeners.compute(queue, (name, there) -> {
            List<Listener> all = there == null ? new CopyOnWriteArrayList<>() : there;
            all.add(own);
            return all;
        });
        if (positioned) {
            // Something may have come in between the look that found nothing and this moment.
            execute(() -> notifyListeners(queue, List.of(own), Listener::onGap));
        }
        read();
        return () -> listeners.computeIfPresent(queue, (name, there) -> {
            there.remove(own);
            return there.isEmpty() ? null : there;
        });
    }

    /** Makes each subscription one of its own, though a listener may come twice. */
    private static final class OnceSubscribed implements Listener {
        private final Listener listener;

        OnceSubscribed(Listener listener) {
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

    private void read() {
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

    /** Reads until nobody listens any more, or something fails, whatever it is; then tries again a little later. */
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
                    read(); // somebody came as this ended
                }
            } else {
                long waitNanos = RETRY_NANOS << Math.min(MOST_DOUBLINGS, Math.max(0, failuresInARow - 1));
                clock.schedule(waitNanos, () -> execute(this::readOnce));
            }
        }
    }

    private void failed(RuntimeException failure) {
        if (closed) {
            return;
        }
        failuresInARow++;
        // The server ends a cursor when its primary changes, or when it is overtaken: to begin anew mends that.
        boolean ordinary = failuresInARow == 1 && failure instanceof MongoException;
        if (!ordinary && !warned) {
            warned = true;
            LOG.warn(
                    "reading signals on {} failed: trying again; until it goes on, messages of other processes are seen at"
                            + " the poll interval: {}",
                    link,
                    failure instanceof MongoException ? MongoErrors.text(failure) : OutageLog.reason(failure));
        }
        LOG.debug("reading signals on {} failed: trying again", link, failure);
    }

    private void follow(Channel.Tail tail) {
        String prefix = SignalMessage.prefix(namespace);
        while (!closed && !listeners.isEmpty()) {
            if (!positioned) {
                // The cursor is open: what comes from now on is read.
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

    private static void notifyListeners(String queue, List<Listener> all, Consumer<Listener> what) {
        for (Listener listener : all) {
            try {
                what.accept(listener);
            } catch (RuntimeException failure) {
                LOG.warn("a listener to the signals of queue '{}' failed", queue, failure);
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

    /** Else it would end only with its wait, of a second; it does so too where the server is slow. */
    private void wakeReader() {
        try {
            channel.wakeReaders(WAKE_MILLIS);
        } catch (MongoException | IllegalStateException failure) {
            LOG.debug("the reader of signals on {} ends a little later", link, failure);
        }
    }

    @Override
    public String toString() {
        return "mongo-capped of namespace '" + namespace + "' on " + link;
    }
}

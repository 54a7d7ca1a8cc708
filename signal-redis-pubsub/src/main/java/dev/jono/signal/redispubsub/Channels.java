package dev.jono.signal.redispubsub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.QueueClosedException;
import dev.jono.spi.OutageLog;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.redis.RedisLink;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels that this signaller listens to. Changes that arrive while a command is in flight are batched in the next one, so
 * ten thousand queues need only a few commands. A failed command is sent again, unless its subscription has ended meanwhile.
 *
 * <p>Each time Redis confirms a channel, its listeners are notified of a gap. The first time, a message may have arrived after
 * the last probe and before the subscription. Later, the connection was lost; Lettuce then connects and subscribes again by
 * itself. Called by any thread; listeners run on a thread of the connection and must not block it. Thread-safe.
 */
final class Channels {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");
    private static final int BATCH = 1_000;
    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

    private final RedisLink link;
    private final Executor executor;
    private final JonoClock clock;
    private final OutageLog outages;
    /** The channels with listeners, by name. */
    private final Map<String, Channel> listened = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** Names of channels that got their first listener or lost their last one, and that no command has covered yet. */
    @GuardedBy("lock") private final Set<String> changed = new LinkedHashSet<>();

    /** Names of channels for which {@code SUBSCRIBE} was sent, whether confirmed or not. */
    @GuardedBy("lock") private final Set<String> requested = new LinkedHashSet<>();

    @GuardedBy("lock") private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;

    /** Whether a command is in flight, or this object connects or waits for a retry. */
    @GuardedBy("lock") private boolean busy;

    @GuardedBy("lock") private boolean closed;

    /** Whether a refusal was logged. */
    private final AtomicBoolean warned = new AtomicBoolean();

    private final ChannelListener channelListener = new ChannelListener();

    /** A channel with its listeners. */
    private record Channel(String queue, List<Signaller.Listener> listeners) {}

    Channels(RedisLink link, Executor executor, JonoClock clock) {
        this.link = link;
        this.executor = executor;
        this.clock = clock;
        this.outages = new OutageLog(clock);
    }

    Signaller.Subscription subscribe(byte[] channel, String queue, Signaller.Listener listener) {
        String name = name(channel);
        Signaller.Listener own = new OwnListener(listener);
        listened.compute(name, (n, existing) -> {
            Channel entry = existing == null ? new Channel(queue, new CopyOnWriteArrayList<>()) : existing;
            entry.listeners().add(own);
            return entry;
        });
        change(name);
        return () -> {
            listened.computeIfPresent(name, (n, existing) -> {
                existing.listeners().remove(own);
                return existing.listeners().isEmpty() ? null : existing;
            });
            change(name);
        };
    }

    /** Gives each subscription an identity of its own, because the same listener may subscribe twice. */
    private static final class OwnListener implements Signaller.Listener {
        private final Signaller.Listener listener;

        OwnListener(Signaller.Listener listener) {
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

    private static String name(byte[] channel) {
        return new String(channel, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    private void change(String name) {
        lock.lock();
        try {
            changed.add(name);
        } finally {
            lock.unlock();
        }
        sendChanges();
    }

    /** Sends the changes, unless a command is in flight. When that one ends, it calls this again. */
    private void sendChanges() {
        StatefulRedisPubSubConnection<byte[], byte[]> target;
        List<String> subscribe = new ArrayList<>();
        List<String> unsubscribe = new ArrayList<>();
        lock.lock();
        try {
            if (busy || closed || changed.isEmpty()) {
                return;
            }
            target = connection;
            if (target != null) {
                takeChanges(subscribe, unsubscribe);
                if (subscribe.isEmpty() && unsubscribe.isEmpty()) {
                    return;
                }
            }
            busy = true;
        } finally {
            lock.unlock();
        }
        if (target == null) {
            connect();
        } else {
            send(target, subscribe, unsubscribe);
        }
    }

    @GuardedBy("lock") private void takeChanges(List<String> subscribe, List<String> unsubscribe) {
        Iterator<String> names = changed.iterator();
        while (names.hasNext() && subscribe.size() < BATCH && unsubscribe.size() < BATCH) {
            String name = names.next();
            names.remove();
            if (listened.containsKey(name)) {
                if (requested.add(name)) {
                    subscribe.add(name);
                }
            } else if (requested.remove(name)) {
                unsubscribe.add(name);
            }
        }
    }

    /** Connects on the executor: connecting blocks, and the calling thread may not be allowed to block. */
    private void connect() {
        try {
            executor.execute(() -> {
                try {
                    StatefulRedisPubSubConnection<byte[], byte[]> opened = link.pubSub();
                    opened.addListener(channelListener);
                    connected(opened);
                } catch (QueueClosedException ended) {
                    LOG.debug("{} is closed: signals are no longer received", link);
                } catch (RuntimeException failure) {
                    outages.warn(LOG.getName(), failure, "cannot subscribe to signals on {}; trying again", link);
                    retryLater();
                }
            });
        } catch (RejectedExecutionException closing) {
            LOG.debug("cannot connect, because {} is being closed", link);
        }
    }

    private void connected(StatefulRedisPubSubConnection<byte[], byte[]> opened) {
        lock.lock();
        try {
            if (closed) {
                opened.removeListener(channelListener);
                return;
            }
            connection = opened;
            busy = false;
        } finally {
            lock.unlock();
        }
        sendChanges();
    }

    private void send(
            StatefulRedisPubSubConnection<byte[], byte[]> target, List<String> subscribe, List<String> unsubscribe) {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        if (!subscribe.isEmpty()) {
            answers.add(target.async().subscribe(channels(subscribe)).toCompletableFuture());
        }
        if (!unsubscribe.isEmpty()) {
            answers.add(target.async().unsubscribe(channels(unsubscribe)).toCompletableFuture());
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure == null) {
                ready();
            } else {
                if (refused(failure) && warned.compareAndSet(false, true)) {
                    LOG.warn(
                            "{} refuses to let this user subscribe to signals; until it does, this process sees messages of"
                                    + " other processes only at the poll interval: {}",
                            link,
                            OutageLog.reason(failure));
                }
                LOG.debug("a subscription on {} failed; trying again", link, failure);
                undo(subscribe, unsubscribe);
                retryLater();
            }
        });
    }

    private static boolean refused(Throwable failure) {
        return failure.getCause() instanceof RedisCommandExecutionException;
    }

    private static byte[][] channels(List<String> names) {
        return names.stream().map(Channels::bytes).toArray(byte[][]::new);
    }

    private void undo(List<String> subscribe, List<String> unsubscribe) {
        lock.lock();
        try {
            subscribe.forEach(requested::remove);
            requested.addAll(unsubscribe);
            changed.addAll(subscribe);
            changed.addAll(unsubscribe);
        } finally {
            lock.unlock();
        }
    }

    private void retryLater() {
        clock.schedule(RETRY_NANOS, this::ready);
    }

    private void ready() {
        lock.lock();
        try {
            busy = false;
        } finally {
            lock.unlock();
        }
        sendChanges();
    }

    /** Receives messages and confirmations, on a thread of the connection. */
    private final class ChannelListener extends RedisPubSubAdapter<byte[], byte[]> {
        @Override
        public void message(byte[] channel, byte[] message) {
            Channel found = listened.get(name(channel));
            if (found == null) {
                return;
            }
            Signal signal = SignalMessage.decode(found.queue(), message);
            if (signal == null) {
                LOG.debug("ignored a message on the channel of queue '{}', which is not a signal", found.queue());
                return;
            }
            notifyListeners(found, listener -> listener.onSignal(signal));
        }

        @Override
        public void subscribed(byte[] channel, long count) {
            Channel found = listened.get(name(channel));
            if (found != null) {
                notifyListeners(found, Signaller.Listener::onGap);
            }
        }
    }

    private static void notifyListeners(Channel channel, Consumer<Signaller.Listener> event) {
        for (Signaller.Listener listener : channel.listeners()) {
            try {
                event.accept(listener);
            } catch (RuntimeException failure) {
                LOG.warn("a listener to the signals of queue '{}' failed", channel.queue(), failure);
            }
        }
    }

    /** Notifies no listener any more. The link closes the connection, which ends the subscriptions. Idempotent. */
    void close() {
        StatefulRedisPubSubConnection<byte[], byte[]> subscribed;
        lock.lock();
        try {
            closed = true;
            subscribed = connection;
            connection = null;
        } finally {
            lock.unlock();
        }
        listened.clear();
        if (subscribed != null) {
            subscribed.removeListener(channelListener);
        }
    }
}

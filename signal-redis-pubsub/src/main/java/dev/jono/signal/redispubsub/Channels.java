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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels that this signaller listens to. What is asked for while a subscription is under way goes out together in
 * the next one: ten thousand queues cost a few commands. What fails is tried again until it is no longer wanted.
 *
 * <p>Whenever Redis confirms a channel, its listeners are told of a gap: at first because a message may have come in
 * between the look that found nothing and this moment, later because the connection was lost in between (Lettuce then
 * connects and subscribes anew by itself).
 */
final class Channels {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");
    private static final int BATCH = 1_000;
    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

    private final RedisLink link;
    private final Executor executor;
    private final JonoClock clock;
    private final OutageLog outages;
    /** By name of the channel; what is in here is wanted. */
    private final Map<String, Channel> listened = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** Names of channels that became wanted or unwanted. */
    @GuardedBy("lock") private final Set<String> changed = new LinkedHashSet<>();

    /** What Redis was asked to send, whether confirmed or not. */
    @GuardedBy("lock") private final Set<String> requested = new LinkedHashSet<>();

    @GuardedBy("lock") private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;

    @GuardedBy("lock") private boolean busy;

    @GuardedBy("lock") private boolean closed;

    /** Whether a refusal was told. */
    private final AtomicBoolean warned = new AtomicBoolean();

    private final ChannelListener channelListener = new ChannelListener();

    /** A channel that somebody listens to. */
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
        listened.compute(name, (n, there) -> {
            Channel known = there == null ? new Channel(queue, new CopyOnWriteArrayList<>()) : there;
            known.listeners().add(own);
            return known;
        });
        change(name);
        return () -> {
            listened.computeIfPresent(name, (n, there) -> {
                there.listeners().remove(own);
                return there.listeners().isEmpty() ? null : there;
            });
            change(name);
        };
    }

    /** Makes each subscription one of its own, though a listener may come twice. */
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

    /** Asks Redis for what has changed, unless a question is under way: its end asks again. */
    private void sendChanges() {
        StatefulRedisPubSubConnection<byte[], byte[]> to;
        List<String> subscribe = new ArrayList<>();
        List<String> unsubscribe = new ArrayList<>();
        lock.lock();
        try {
            if (busy || closed || changed.isEmpty()) {
                return;
            }
            to = connection;
            if (to != null) {
                takeChanges(subscribe, unsubscribe);
                if (subscribe.isEmpty() && unsubscribe.isEmpty()) {
                    return;
                }
            }
            busy = true;
        } finally {
            lock.unlock();
        }
        if (to == null) {
            connect();
        } else {
            send(to, subscribe, unsubscribe);
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

    /** Connecting blocks, and this may be a thread that must not. */
    private void connect() {
        try {
            executor.execute(() -> {
                try {
                    StatefulRedisPubSubConnection<byte[], byte[]> opened = link.pubSub();
                    opened.addListener(channelListener);
                    connected(opened);
                } catch (QueueClosedException ended) {
                    LOG.debug("{} is closed: nobody listens any more", link);
                } catch (RuntimeException failure) {
                    outages.warn(LOG.getName(), failure, "cannot listen to signals on {}: trying again", link);
                    retryLater();
                }
            });
        } catch (RejectedExecutionException closing) {
            LOG.debug("no thread to connect with: {} is being closed", link);
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
            StatefulRedisPubSubConnection<byte[], byte[]> to, List<String> subscribe, List<String> unsubscribe) {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        if (!subscribe.isEmpty()) {
            answers.add(to.async().subscribe(channels(subscribe)).toCompletableFuture());
        }
        if (!unsubscribe.isEmpty()) {
            answers.add(to.async().unsubscribe(channels(unsubscribe)).toCompletableFuture());
        }
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure == null) {
                ready();
            } else {
                if (refused(failure) && warned.compareAndSet(false, true)) {
                    LOG.warn(
                            "{} refuses to let this user listen to signals; until it does, messages of other processes are"
                                    + " seen at the poll interval: {}",
                            link,
                            OutageLog.reason(failure));
                }
                LOG.debug("a subscription on {} failed: trying again", link, failure);
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

    /** What Redis says. On a thread of the connection. */
    private final class ChannelListener extends RedisPubSubAdapter<byte[], byte[]> {
        @Override
        public void message(byte[] channel, byte[] message) {
            Channel to = listened.get(name(channel));
            if (to == null) {
                return;
            }
            Signal signal = SignalMessage.decode(to.queue(), message);
            if (signal == null) {
                LOG.debug("a message on the channel of queue '{}' is no signal: ignored", to.queue());
                return;
            }
            notifyListeners(to, listener -> listener.onSignal(signal));
        }

        @Override
        public void subscribed(byte[] channel, long count) {
            Channel to = listened.get(name(channel));
            if (to != null) {
                notifyListeners(to, Signaller.Listener::onGap);
            }
        }
    }

    private static void notifyListeners(Channel to, java.util.function.Consumer<Signaller.Listener> what) {
        for (Signaller.Listener listener : to.listeners()) {
            try {
                what.accept(listener);
            } catch (RuntimeException failure) {
                LOG.warn("a listener to the signals of queue '{}' failed", to.queue(), failure);
            }
        }
    }

    /** Tells nobody anything any more; the connection, and with it what Redis sends, is the link's to end. Idempotent. */
    void close() {
        StatefulRedisPubSubConnection<byte[], byte[]> from;
        lock.lock();
        try {
            closed = true;
            from = connection;
            connection = null;
        } finally {
            lock.unlock();
        }
        listened.clear();
        if (from != null) {
            from.removeListener(channelListener);
        }
    }
}

package dev.jono.memory;

import dev.jono.memory.SignalBus.Subscriber;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One namespace of a {@link SignalBus}. After close it publishes nothing, and its listeners get nothing. Thread-safe.
 */
final class LocalSignaller implements Signaller {
    private final SignalBus bus;
    private final String namespace;
    private final Runnable onClose;
    private final Set<Subscriber> own = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    LocalSignaller(SignalBus bus, String namespace, Runnable onClose) {
        this.bus = bus;
        this.namespace = namespace;
        this.onClose = onClose;
    }

    @Override
    public CompletionStage<Void> publish(Signal signal) {
        if (!closed.get()) {
            bus.publish(namespace, signal);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Subscription subscribe(String queue, Listener listener) {
        Subscriber subscriber = new Subscriber(new Topic(namespace, queue), listener);
        own.add(subscriber);
        bus.add(subscriber);
        if (closed.get()) {
            end(subscriber); // close may have ended the subscriptions before this one was added
        }
        return () -> end(subscriber);
    }

    private void end(Subscriber subscriber) {
        if (own.remove(subscriber)) {
            bus.remove(subscriber);
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            own.forEach(this::end);
            onClose.run();
        }
    }
}

package dev.jono.memory;

import dev.jono.spi.Signal;
import dev.jono.spi.Signaller.Listener;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes signals to the listeners in this JVM, on the publisher's thread. Thread-safe; never waits. */
final class SignalBus {
    private static final Logger LOG = LoggerFactory.getLogger(SignalBus.class);

    private final ConcurrentHashMap<Topic, List<Subscriber>> subscribers = new ConcurrentHashMap<>();

    void publish(String namespace, Signal signal) {
        for (Subscriber subscriber : subscribers.getOrDefault(new Topic(namespace, signal.queue()), List.of())) {
            try {
                subscriber.listener.onSignal(signal);
            } catch (Throwable failure) {
                LOG.warn("a listener failed on the signal '{}'; the other listeners get it", signal, failure);
            }
        }
    }

    void add(Subscriber subscriber) {
        subscribers.compute(subscriber.topic, (topic, present) -> {
            List<Subscriber> all = present == null ? new CopyOnWriteArrayList<>() : present;
            all.add(subscriber);
            return all;
        });
    }

    void remove(Subscriber subscriber) {
        subscribers.computeIfPresent(subscriber.topic, (topic, present) -> {
            present.remove(subscriber);
            return present.isEmpty() ? null : present;
        });
    }

    /** One subscription. Not a record: a listener that subscribes twice has two different subscriptions. */
    static final class Subscriber {
        private final Topic topic;
        private final Listener listener;

        Subscriber(Topic topic, Listener listener) {
            this.topic = topic;
            this.listener = listener;
        }
    }
}

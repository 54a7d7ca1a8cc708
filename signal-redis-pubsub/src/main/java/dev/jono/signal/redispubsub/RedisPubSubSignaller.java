package dev.jono.signal.redispubsub;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.redis.Piggyback;
import dev.jono.support.redis.RedisLink;
import java.util.concurrent.CompletionStage;

/**
 * Signals by Redis's pub/sub. It publishes on the connection for commands, unless the backend publishes in the round trip of
 * its own call, and listens on the connection for subscriptions. Thread-safe.
 */
final class RedisPubSubSignaller implements Signaller, Piggyback {
    private final RedisLink link;
    private final String namespace;
    private final Channels channels;

    RedisPubSubSignaller(RedisLink link, PluginConfig config) {
        this.link = link;
        this.namespace = config.namespace();
        this.channels = new Channels(link, config.executor(), config.clock());
    }

    @Override
    public CompletionStage<Void> publish(Signal signal) {
        byte[] channel = link.keys().signals(namespace, signal.queue());
        byte[] message = SignalMessage.encode(signal);
        return link.publish(signal.queue(), channel, message).thenAccept(receivers -> {});
    }

    @Override
    public Subscription subscribe(String queue, Listener listener) {
        return channels.subscribe(link.keys().signals(namespace, queue), queue, listener);
    }

    @Override
    public boolean worksOn(RedisLink other, String otherNamespace) {
        return link.shares(other) && namespace.equals(otherNamespace);
    }

    @Override
    public void close() {
        channels.close();
        link.close();
    }

    @Override
    public String toString() {
        return "redis-pubsub of namespace '" + namespace + "' on " + link;
    }
}

package dev.jono.signal.postgres;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.postgres.PostgresLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Signals of one namespace and schema. With {@code jono.signal=poll} it sends and receives nothing. Thread-safe. */
final class PostgresSignaller implements Signaller {
    private final PostgresLink link;
    private final Publisher publisher;
    private final Reader reader;
    private final boolean silent;
    private final AtomicBoolean closed = new AtomicBoolean();

    PostgresSignaller(PostgresLink link, PluginConfig config) {
        this.link = link;
        this.publisher = new Publisher(link, config);
        this.reader = new Reader(link, config);
        this.silent = !link.options().listens();
    }

    @Override
    public CompletionStage<Void> publish(Signal signal) {
        return silent ? CompletableFuture.completedFuture(null) : publisher.publish(signal);
    }

    @Override
    public Subscription subscribe(String queue, Listener listener) {
        return silent ? () -> {} : reader.subscribe(queue, listener);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            reader.close();
            link.close();
        }
    }

    @Override
    public String toString() {
        return "signals on " + link;
    }
}

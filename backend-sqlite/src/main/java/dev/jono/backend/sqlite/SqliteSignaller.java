package dev.jono.backend.sqlite;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.concurrent.CompletionStage;

/** Signals between the processes that have a file open, by {@link SignalRing}. Thread-safe. */
final class SqliteSignaller implements Signaller {
    private final FileHandle handle;
    private final String namespace;

    SqliteSignaller(PluginConfig config) {
        this.handle = FileHandle.open(config);
        this.namespace = config.namespace();
    }

    /** Whether the announcements of a backend on this file and namespace reach the listeners of this signaller. */
    boolean receivesFrom(SharedFile file, String otherNamespace) {
        return handle.file() == file && namespace.equals(otherNamespace);
    }

    @Override
    public CompletionStage<Void> publish(Signal signal) {
        long channel = Announcements.channel(namespace, signal.queue());
        return handle.file().write(0, Command.work(tx -> tx.announce(channel, signal)));
    }

    @Override
    public Subscription subscribe(String queue, Listener listener) {
        return handle.file().signals().subscribe(Announcements.channel(namespace, queue), queue, listener);
    }

    @Override
    public void close() {
        handle.close();
    }
}

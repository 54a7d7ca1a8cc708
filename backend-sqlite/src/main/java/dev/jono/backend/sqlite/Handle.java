package dev.jono.backend.sqlite;

import dev.jono.Storage;
import dev.jono.spi.PluginConfig;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** One use of a {@link SharedFile}: of a backend, a signaller or stats. */
final class Handle implements Storage, AutoCloseable {
    private final SharedFile file;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Handle(SharedFile file) {
        this.file = file;
    }

    /** Opens what the configuration names: the file of a backend of the same factory, or that of the URL. */
    static Handle open(PluginConfig config) {
        return open(config, Set.of());
    }

    /**
     * As {@link #open(PluginConfig)}.
     *
     * @param extra names of options that are not the file's
     */
    static Handle open(PluginConfig config, Set<String> extra) {
        if (config.storage() instanceof Handle other) {
            other.file.retain();
            return new Handle(other.file);
        }
        return new Handle(SharedFile.open(Options.parse(config.url(), extra), config.clock()));
    }

    SharedFile file() {
        return file;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            file.release();
        }
    }

    @Override
    public String toString() {
        return "sqlite:" + file.path();
    }
}

package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** One use of a {@link SharedFile} by a backend, a signaller or stats. Closing it ends that use. Thread-safe. */
final class FileHandle implements SqliteStorage, AutoCloseable {
    private final SharedFile file;
    private final AtomicBoolean closed = new AtomicBoolean();

    private FileHandle(SharedFile file) {
        this.file = file;
    }

    /** Opens the file that a backend's URL names. */
    static FileHandle open(PluginConfig config, Options options) {
        if (config.storage() != null) {
            throw new ConfigurationException("the backend 'sqlite' takes no storage object: name the file in the URL");
        }
        return new FileHandle(SharedFile.open(options, config.clock()));
    }

    /** Opens the file of a signaller or stats: that of the factory's backend, or the one that the URL names. */
    static FileHandle open(PluginConfig config) {
        return open(config, Set.of());
    }

    /**
     * As {@link #open(PluginConfig)}.
     *
     * @param extra names of options that belong to the plugin, not to the file
     */
    static FileHandle open(PluginConfig config, Set<String> extra) {
        ConnectionUrl url = config.url();
        Set<String> known = new HashSet<>(Options.FILE_OPTIONS);
        known.addAll(extra);
        if (config.storage() instanceof FileHandle other) {
            url.refuseUnknownOptions(known);
            url.refuseConnectionOptions(Options.FILE_OPTIONS);
            other.file.retain();
            return new FileHandle(other.file);
        }
        return new FileHandle(SharedFile.open(Options.parse(url, known), config.clock()));
    }

    SharedFile file() {
        return file;
    }

    @Override
    public SqliteFile use(JonoClock clock) {
        return FileCompanion.open(file, clock);
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

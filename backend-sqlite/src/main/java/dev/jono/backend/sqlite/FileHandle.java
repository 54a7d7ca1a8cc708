package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.Storage;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** One use of a {@link SharedFile}: of a backend, a signaller or stats. */
final class FileHandle implements Storage, AutoCloseable {
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

    /** For a signaller or stats: the file of the backend of the same factory, or that of the URL. */
    static FileHandle open(PluginConfig config) {
        return open(config, Set.of());
    }

    /**
     * As {@link #open(PluginConfig)}.
     *
     * @param extra names of options that are not the file's
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

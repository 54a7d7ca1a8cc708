package dev.jono.spi;

import dev.jono.JonoClock;
import dev.jono.Storage;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What a provider gets to open a backend, a signaller or a stats store. */
public final class PluginConfig {
    private final ConnectionUrl url;
    private final String namespace;
    private final JonoClock clock;
    private final Executor executor;
    private final @Nullable Storage storage;

    private PluginConfig(Builder b) {
        this.url = Objects.requireNonNull(b.url, "url");
        this.namespace = b.namespace;
        this.clock = b.clock;
        this.executor = Objects.requireNonNull(b.executor, "executor");
        this.storage = b.storage;
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where to connect, and with which options of Jono's. */
    public ConnectionUrl url() {
        return url;
    }

    /** Separates signals, stats and the paused flag; never the storage of messages. */
    public String namespace() {
        return namespace;
    }

    /** The clock for what the storage's own clock does not decide; for a storage without one, its clock. */
    public JonoClock clock() {
        return clock;
    }

    /** Threads of the factory for calls that block. Shut down by the factory, after its plugins are closed. */
    public Executor executor() {
        return executor;
    }

    /** A connection to use in place of an own one, never to be closed by the plugin; null to connect by the URL. */
    public @Nullable Storage storage() {
        return storage;
    }

    /** Builds one {@link PluginConfig}; not thread-safe. */
    public static final class Builder {
        private @Nullable ConnectionUrl url;
        private String namespace = "N";
        private JonoClock clock = JonoClock.system();
        private @Nullable Executor executor;
        private @Nullable Storage storage;

        private Builder() {}

        /** Sets {@link PluginConfig#url()}. */
        public Builder url(ConnectionUrl value) {
            this.url = value;
            return this;
        }

        /** Sets {@link PluginConfig#namespace()}. */
        public Builder namespace(String value) {
            this.namespace = value;
            return this;
        }

        /** Sets {@link PluginConfig#clock()}. */
        public Builder clock(JonoClock value) {
            this.clock = value;
            return this;
        }

        /** Sets {@link PluginConfig#executor()}. */
        public Builder executor(Executor value) {
            this.executor = value;
            return this;
        }

        /** Sets {@link PluginConfig#storage()}. */
        public Builder storage(@Nullable Storage value) {
            this.storage = value;
            return this;
        }

        /** The finished object; throws NullPointerException when a required part is missing. */
        public PluginConfig build() {
            return new PluginConfig(this);
        }
    }
}

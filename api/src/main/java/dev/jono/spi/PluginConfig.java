package dev.jono.spi;

import dev.jono.JonoClock;
import dev.jono.Storage;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The configuration with which a provider opens a backend, a signaller or a stats store. Immutable. */
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

    /** Returns a new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** The URL: the location to connect to, and Jono's options. */
    public ConnectionUrl url() {
        return url;
    }

    /** The namespace, which separates signals, stats and paused flags, never messages. Default {@code N}. */
    public String namespace() {
        return namespace;
    }

    /**
     * The clock for all times that the storage's own clock does not decide. For a storage without a clock, it is the
     * storage's clock. Default: the clock of the host.
     */
    public JonoClock clock() {
        return clock;
    }

    /** Threads of the factory for calls that block. The factory shuts them down after it has closed its plugins. */
    public Executor executor() {
        return executor;
    }

    /** An existing connection to use, which the plugin must never close; null to connect by the URL. */
    public @Nullable Storage storage() {
        return storage;
    }

    /** A builder of {@link PluginConfig}. Not thread-safe. */
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

        /**
         * Builds the object.
         *
         * @throws NullPointerException if the URL or the executor is missing
         */
        public PluginConfig build() {
            return new PluginConfig(this);
        }
    }
}

package dev.jono.dashboard;

import dev.jono.JonoClock;
import dev.jono.QueueFactory;
import dev.jono.dashboard.internal.Application;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the queues and jobs of one or several storages in a browser and by REST, and lets people repair them. It is mounted at any
 * path of an HTTP server, by {@link DashboardServlet} or by another adapter that calls {@link #handle}. Thread-safe.
 *
 * <p>It asks the storages only while somebody looks. Closing it does not close the factories.
 */
public final class Dashboard implements AutoCloseable {
    private final Application application;

    private Dashboard(Builder builder) {
        Application.Options options =
                new Application.Options(builder.title, builder.metrics, builder.kue, builder.kueUnsafeGet);
        this.application =
                new Application(builder.factories, builder.access, builder.redaction, builder.clock, options);
    }

    /** A dashboard for the storage of a factory. Everybody who reaches it may do everything. */
    public static Dashboard of(QueueFactory jono) {
        return builder().storage(jono.backend(), jono).build();
    }

    /** Returns a builder. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Answers a request. Blocks until the answer is written; a stream of events is written until the client leaves or the dashboard is
     * closed. Does not throw for a request that is wrong or refused.
     *
     * @throws IOException if the client cannot be reached
     */
    public void handle(Exchange exchange) throws IOException {
        application.handle(exchange);
    }

    /** Ends the streams of events, and stops looking at the storages. Idempotent. */
    @Override
    public void close() {
        application.close();
    }

    /** Builds a {@link Dashboard}. Not thread-safe. */
    public static final class Builder {
        private final Map<String, QueueFactory> factories = new LinkedHashMap<>();
        private Access access = Access.all();
        private Redaction redaction = Redaction.none();
        private JonoClock clock = JonoClock.system();
        private String title = "Jono";
        private @Nullable Supplier<String> metrics;
        private boolean kue;
        private boolean kueUnsafeGet;

        private Builder() {}

        /**
         * Adds a storage. The first one is shown where no other is chosen.
         *
         * @param name a short name for it: 1 to 40 letters, digits or {@code _ . -}
         * @throws IllegalArgumentException if the name is used already or is not such a name
         */
        public Builder storage(String name, QueueFactory jono) {
            if (!name.matches("[A-Za-z0-9_.-]{1,40}")) {
                throw new IllegalArgumentException(
                        "'" + name + "' cannot name a storage: use 1 to 40 letters, digits or _ . -");
            }
            if (factories.putIfAbsent(name, jono) != null) {
                throw new IllegalArgumentException("two storages have the name '" + name + "'");
            }
            return this;
        }

        /** Who may do what. By default, everybody who reaches the dashboard may do everything. */
        public Builder access(Access value) {
            this.access = value;
            return this;
        }

        /** Which parts of payloads are hidden; by default none. */
        public Builder redaction(Redaction value) {
            this.redaction = value;
            return this;
        }

        /** Tells how old a number is; for tests. By default the system's. */
        public Builder clock(JonoClock value) {
            this.clock = value;
            return this;
        }

        /** The title of the pages, such as the name of the environment; by default {@code Jono}. */
        public Builder title(String value) {
            this.title = value;
            return this;
        }

        /**
         * Serves metrics at {@code metrics} for Prometheus. By default the dashboard has none.
         *
         * @param scrape writes them as the text of Prometheus 0.0.4, such as {@code registry::scrape} of Micrometer's {@code
         *     PrometheusMeterRegistry}; called at each request, on its thread
         */
        public Builder metrics(Supplier<String> scrape) {
            this.metrics = scrape;
            return this;
        }

        /**
         * Adds the JSON routes of Kue 0.11 at {@code kue}, and those of Vert.x Kue at {@code vertx-kue}, below the mount of the
         * dashboard. By default they are not there.
         */
        public Builder kue() {
            this.kue = true;
            return this;
        }

        /**
         * As {@link #kue()}; also, {@code GET kue/inactive/:id} restarts a job, which Kue's own page needs. By default {@code GET}
         * changes nothing, because browsers and their extensions send it without being asked.
         */
        public Builder kueUnsafeGet() {
            this.kueUnsafeGet = true;
            return kue();
        }

        /**
         * Returns the dashboard. Asks the storages nothing.
         *
         * @throws IllegalStateException if there is no storage
         */
        public Dashboard build() {
            if (factories.isEmpty()) {
                throw new IllegalStateException("a dashboard needs a storage: call storage(name, factory)");
            }
            return new Dashboard(this);
        }
    }
}

package dev.jono.spring.autoconfigure;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties {@code jono.*}. A property below {@code jono} that is not here is an error at start.
 *
 * @param url URL of the storage, such as sqlite:shop.db or redis-oq:redis://localhost:6379. Without it, or if it is empty, the
 *     Redis, MongoDB or PostgreSQL connection of the application is used.
 * @param backend Type of the backend on the connection of the application, such as redis-oq or mongo. Only without jono.url.
 * @param options Jono's options on the connection of the application, such as prefix=shop. Only without jono.url, which contains
 *     them as jono.prefix=shop.
 * @param database Database of the queues on the MongoDB connection of the application; by default that of the application.
 * @param namespace Separates signals, stats and pauses from those of other namespaces; never the storage of messages.
 * @param signaller URL of the signaller; by default that of the backend.
 * @param stats URL of the stats; by default those of the backend.
 * @param queue Options of all queues.
 * @param queues Options of single queues, by name. They override those of all queues.
 * @param transaction When injected queues send what is pushed in a transaction of the application.
 * @param worker Defaults of listeners.
 * @param jobs Jobs and their runner.
 * @param dashboard The dashboard; it needs jono-dashboard and a servlet container.
 */
@ConfigurationProperties(prefix = "jono", ignoreUnknownFields = false)
public record JonoProperties(
        @Nullable String url,
        @Nullable String backend,
        @DefaultValue Map<String, String> options,
        @Nullable String database,
        @DefaultValue("N") String namespace,
        @Nullable String signaller,
        @Nullable String stats,
        @DefaultValue @NestedConfigurationProperty QueueProperties queue,
        @DefaultValue Map<String, QueueProperties> queues,
        @DefaultValue("join") Transaction transaction,
        @DefaultValue Worker worker,
        @DefaultValue Jobs jobs,
        @DefaultValue Dashboard dashboard) {

    /** The properties. An empty text is not set. */
    public JonoProperties {
        url = textOrNull(url);
        backend = textOrNull(backend);
        database = textOrNull(database);
        signaller = textOrNull(signaller);
        stats = textOrNull(stats);
    }

    static @Nullable String textOrNull(@Nullable String text) {
        return StringUtils.hasText(text) ? text : null;
    }

    /** When injected queues send what is pushed in a transaction of the application. */
    public enum Transaction {
        /**
         * With the transaction, if it is on the storage of the queues: both or neither. Otherwise as after-commit. Jobs too join it; where
         * they cannot, they are enqueued at once.
         */
        JOIN,
        /** After the commit; not at all after a rollback. A crash between commit and push loses the message. */
        AFTER_COMMIT,
        /** At once, whatever becomes of the transaction. */
        NONE
    }

    /**
     * Defaults of listeners.
     *
     * @param enabled Whether listeners are started with the application.
     * @param concurrency Maximum number of messages, or of lists, that a listener handles at the same time.
     * @param batch Maximum number of messages in a batch, for listeners that take a list.
     * @param prefetch How many more messages a listener claims in advance.
     * @param lease Length of the leases, which a heartbeat extends; by default that of the queue.
     * @param maxRuntime How long a handler can run before it is interrupted.
     * @param stopTimeout How long handlers have at shutdown before they are interrupted and their messages given back. By
     *     default five sixths of spring.lifecycle.timeout-per-shutdown-phase.
     */
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("1") int concurrency,
            @DefaultValue("100") int batch,
            @DefaultValue("0") int prefetch,
            @Nullable Duration lease,
            @DefaultValue("1h") Duration maxRuntime,
            @Nullable Duration stopTimeout) {}

    /**
     * The dashboard; it needs jono-dashboard and a servlet container.
     *
     * @param path Path of the dashboard, such as /jono. Without it, or if it is empty, there is no dashboard.
     * @param readOnly Whether nobody can change anything; a bean of the type Access decides instead, if there is one.
     * @param title Title of the pages, such as the name of the environment.
     */
    public record Dashboard(
            @Nullable String path,
            @DefaultValue("false") boolean readOnly,
            @DefaultValue("Jono") String title) {}

    /**
     * Jobs and their runner.
     *
     * @param enabled Whether there is a bean for jobs. It needs a job store for the backend.
     * @param runner The runner of the methods with @JonoJob.
     */
    public record Jobs(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Runner runner) {}

    /**
     * The runner of the methods with @JonoJob.
     *
     * @param enabled Whether the runner is started with the application.
     * @param concurrency Maximum number of jobs that run at the same time.
     * @param lease Length of the lease of a running job, which a heartbeat extends; by default that of all queues.
     * @param name Name of the runner, which the records of its jobs contain; by default PID@HOST.
     * @param strictPriorities Whether a job starts only if none of a higher priority is due.
     */
    public record Runner(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("4") int concurrency,
            @Nullable Duration lease,
            @Nullable String name,
            @DefaultValue("false") boolean strictPriorities) {

        /** The properties. An empty name is not set. */
        public Runner {
            name = textOrNull(name);
        }
    }
}

package dev.jono;

import dev.jono.internal.Engine;
import dev.jono.internal.FactoryConfig;
import dev.jono.json.JsonCodecs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link QueueFactory}. Not thread-safe. */
public final class QueueFactoryBuilder {
    private static final Pattern NAMESPACE = Pattern.compile("[^:\\s\\p{Cntrl}]{1,200}");

    private final String url;
    private String namespace = "N";
    private @Nullable String signaller;
    private @Nullable String stats;
    private DeadLetter deadLetter = DeadLetter.after(25);
    private QueueOptions queueDefaults = QueueOptions.none();
    private final Map<String, QueueOptions> queueOptions = new HashMap<>();
    private JonoClock clock = JonoClock.system();
    private @Nullable Executor executor;
    private @Nullable Storage storage;
    private @Nullable ClassLoader classLoader;
    private CodecFactory codecs = JsonCodecs.standard();
    private final List<Interceptor> interceptors = new ArrayList<>();
    private final List<FactoryListener> listeners = new ArrayList<>();

    QueueFactoryBuilder(String url) {
        this.url = url;
    }

    /**
     * Separates signals, stats and pauses from those of other namespaces, but not the messages. Default {@code N}.
     *
     * @param value 1 to 200 characters without colon and white space
     * @throws IllegalArgumentException if it is not
     */
    public QueueFactoryBuilder namespace(String value) {
        if (!NAMESPACE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "namespace '" + value
                            + "' is not allowed: 1 to 200 characters, none of them a colon, white space or a control character");
        }
        this.namespace = value;
        return this;
    }

    /** URL of the signaller. Default: that of the backend if it is on the class path, otherwise {@code local:}. */
    public QueueFactoryBuilder signaller(String signallerUrl) {
        this.signaller = signallerUrl;
        return this;
    }

    /** URL of the stats. Default: those of the backend if they are on the class path, otherwise {@code mem:}. */
    public QueueFactoryBuilder stats(String statsUrl) {
        this.stats = statsUrl;
        return this;
    }

    /** When messages are dead-lettered, and where; options of a queue come first. */
    public QueueFactoryBuilder deadLetter(DeadLetter value) {
        this.deadLetter = value;
        return this;
    }

    /** Options for queues that do not set them. */
    public QueueFactoryBuilder queueDefaults(QueueOptions value) {
        this.queueDefaults = value;
        return this;
    }

    /**
     * Options for the queues of one name. They override the queue defaults; options that are given when the queue is opened
     * override them. For settings that are read from a file.
     */
    public QueueFactoryBuilder queueOptions(String name, QueueOptions value) {
        this.queueOptions.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
        return this;
    }

    /** The clock. Tests can use one that they move. */
    public QueueFactoryBuilder clock(JonoClock value) {
        this.clock = value;
        return this;
    }

    /**
     * Runs the application's code: callbacks of futures and handlers of workers. It must not run a task on the thread that
     * submits it, and must not block that thread. Default: virtual threads where the JVM has them, otherwise threads that are
     * started as needed.
     */
    public QueueFactoryBuilder executor(Executor value) {
        this.executor = value;
        return this;
    }

    /** A connection of the application, wrapped by a class of the backend's package. Jono never closes it. */
    public QueueFactoryBuilder storage(Storage value) {
        this.storage = value;
        return this;
    }

    /** Loads the plugins. Default: the context class loader of the thread, and that of Jono's classes. */
    public QueueFactoryBuilder classLoader(ClassLoader value) {
        this.classLoader = value;
        return this;
    }

    /**
     * Creates the codecs of queues that are opened with a class or a {@link TypeRef}. Default: {@link JsonCodecs#standard()}.
     * Use {@link JsonCodecs#withFoundModules()} for Kotlin classes, and for classes that Jackson constructs by the names of
     * constructor arguments.
     */
    public QueueFactoryBuilder codecs(CodecFactory value) {
        this.codecs = Objects.requireNonNull(value, "codecs");
        return this;
    }

    /** Adds an interceptor; the first added is the outermost. */
    public QueueFactoryBuilder interceptor(Interceptor value) {
        this.interceptors.add(value);
        return this;
    }

    /** Adds a listener, for metrics. */
    public QueueFactoryBuilder listener(FactoryListener value) {
        this.listeners.add(Objects.requireNonNull(value, "listener"));
        return this;
    }

    /**
     * Connects.
     *
     * @throws ConfigurationException if a URL is wrong, or names a plugin that is not on the class path; or if no queue can be opened
     *     with the queue defaults, or with the options of a name
     * @throws StorageException if the storage cannot be reached or used
     */
    public QueueFactory connect() {
        return Engine.open(new FactoryConfig(
                url,
                namespace,
                signaller,
                stats,
                queueDefaults.orElse(
                        QueueOptions.builder().deadLetter(deadLetter).build()),
                Map.copyOf(queueOptions),
                clock,
                executor,
                storage,
                classLoader,
                codecs,
                List.copyOf(interceptors),
                List.copyOf(listeners)));
    }
}

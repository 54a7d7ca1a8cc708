package dev.jono;

import dev.jono.internal.Engine;
import dev.jono.internal.FactoryConfig;
import dev.jono.json.JsonCodecs;
import java.util.ArrayList;
import java.util.List;
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
    private JonoClock clock = JonoClock.system();
    private @Nullable Executor executor;
    private @Nullable Storage storage;
    private @Nullable ClassLoader classLoader;
    private CodecFactory codecs = JsonCodecs.standard();
    private final List<Interceptor> interceptors = new ArrayList<>();

    QueueFactoryBuilder(String url) {
        this.url = url;
    }

    /**
     * Separates signals, stats and pause from those of other namespaces; never the storage. Default {@code N}. 1 to 200
     * characters without a colon, which ends it in names of channels and keys, and without white space.
     *
     * @throws IllegalArgumentException if it is another
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

    /** URL of the signaller; unless given, the backend's natural one if it is on the class path, else {@code local:}. */
    public QueueFactoryBuilder signaller(String signallerUrl) {
        this.signaller = signallerUrl;
        return this;
    }

    /** URL of the stats; unless given, the backend's natural ones if they are on the class path, else {@code mem:}. */
    public QueueFactoryBuilder stats(String statsUrl) {
        this.stats = statsUrl;
        return this;
    }

    /** When messages are given up, and where they go; a queue's own options go before. */
    public QueueFactoryBuilder deadLetter(DeadLetter value) {
        this.deadLetter = value;
        return this;
    }

    /** Options for queues that do not set them. */
    public QueueFactoryBuilder queueDefaults(QueueOptions value) {
        this.queueDefaults = value;
        return this;
    }

    /** The clock; tests hand in one that they can move. */
    public QueueFactoryBuilder clock(JonoClock value) {
        this.clock = value;
        return this;
    }

    /**
     * Runs users' code: callbacks of futures, handlers of workers. Must never run a task on the thread that submits it, nor
     * block it. Unless given, virtual threads where the JVM has them, else threads made as needed.
     */
    public QueueFactoryBuilder executor(Executor value) {
        this.executor = value;
        return this;
    }

    /** An existing connection of the application, wrapped by a class of the backend's package; never closed by Jono. */
    public QueueFactoryBuilder storage(Storage value) {
        this.storage = value;
        return this;
    }

    /** Where plugins are looked for; unless given, the thread's context class loader, and that of Jono's own classes. */
    public QueueFactoryBuilder classLoader(ClassLoader value) {
        this.classLoader = value;
        return this;
    }

    /**
     * Makes the codecs of queues that are opened with a class or a {@link TypeRef}; those opened with a codec keep it. Unless
     * given, {@link JsonCodecs#standard()}. For Kotlin's classes, and for classes that Jackson constructs by the names of their
     * arguments, {@link JsonCodecs#withFoundModules()}.
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

    /**
     * Connects.
     *
     * @throws ConfigurationException if a URL is wrong, or names a plugin that is not on the class path
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
                clock,
                executor,
                storage,
                classLoader,
                codecs,
                List.copyOf(interceptors)));
    }
}

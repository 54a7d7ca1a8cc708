package dev.jono.internal.fakes;

import dev.jono.Capability;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.memory.LocalSignallerProvider;
import dev.jono.memory.MemStatsProvider;
import dev.jono.memory.MemoryBackendProvider;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A memory storage, signaller and stats of which a test may take over any call: {@link #on} names a method of the SPI and
 * says what happens instead. What the testkit's faults cannot be told to do, a storage may still do: throw, answer null, or
 * never answer.
 */
public final class Hooked implements AutoCloseable {
    static final String TYPE = "hooked";
    private static final Map<String, Hooked> ALL = new ConcurrentHashMap<>();

    private final String key = UUID.randomUUID().toString();
    private final Map<String, Hook> hooks = new ConcurrentHashMap<>();
    private final List<QueueFactory> factories = new ArrayList<>();

    public Hooked() {
        ALL.put(key, this);
    }

    /** What happens instead of a call. */
    public interface Hook {
        @Nullable Object call(Object request, Callable<Object> real) throws Exception;
    }

    /** Done at once, and answered on a thread of this name, as an asynchronous driver does. */
    public static Hook elsewhere(String thread) {
        return (request, real) -> {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            CompletableFuture<?> done = ((CompletionStage<?>) real.call()).toCompletableFuture();
            Thread driver = new Thread(() -> answer.complete(done.join()), thread);
            driver.setDaemon(true);
            driver.start();
            return answer;
        };
    }

    /** From now on, calls of this method of any of the three go here. */
    public Hooked on(String method, Hook hook) {
        hooks.put(method, hook);
        return this;
    }

    /** Ends {@link #on}. */
    public void off(String method) {
        hooks.remove(method);
    }

    public QueueFactoryBuilder builder() {
        return QueueFactory.builder(TYPE + ":" + key)
                .signaller(TYPE + ":" + key)
                .stats(TYPE + ":" + key)
                .classLoader(Hooked.class.getClassLoader());
    }

    /** A factory that is closed with this. */
    public QueueFactory connect(QueueFactoryBuilder builder) {
        QueueFactory factory = builder.connect();
        factories.add(factory);
        return factory;
    }

    public QueueFactory connect() {
        return connect(builder());
    }

    /** One more client of the same storage, as another process would be one; nothing of it is taken over. */
    public QueueFactory bystander() {
        return connect(QueueFactory.builder("memory:" + key).namespace("bystander"));
    }

    /** Ends what is taken over, and closes the factories. */
    @Override
    public void close() {
        hooks.clear();
        factories.forEach(QueueFactory::close);
        ALL.remove(key);
    }

    private <I> I over(Class<I> type, I real) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            Hook hook = hooks.get(method.getName());
            if (method.getDeclaringClass() == Object.class) {
                return invoke(method, real, args);
            }
            if (real instanceof Backend backend && method.getName().equals("queue") && args != null) {
                return over(QueueStore.class, backend.queue((QueueSpec) args[0]));
            }
            if (hook == null) {
                return invoke(method, real, args);
            }
            return hook.call(args == null ? "" : args[0], () -> invoke(method, real, args));
        }));
    }

    private static Object invoke(Method method, Object real, Object @Nullable [] args) throws Exception {
        try {
            return method.invoke(real, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception thrown) {
                throw thrown;
            }
            throw e;
        }
    }

    private static Hooked of(PluginConfig config) {
        Hooked hooked = ALL.get(config.url().location());
        if (hooked == null) {
            throw new IllegalStateException("nothing is hooked under " + config.url());
        }
        return hooked;
    }

    private static PluginConfig inner(PluginConfig config, String type) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse(type + ":" + config.url().location()))
                .namespace(config.namespace())
                .clock(config.clock())
                .executor(config.executor())
                .build();
    }

    /** Public for the service loader. */
    public static final class Backends implements BackendProvider {
        private final MemoryBackendProvider memory = new MemoryBackendProvider();

        /** For the service loader. */
        public Backends() {}

        @Override
        public String type() {
            return TYPE;
        }

        @Override
        public Set<Capability> capabilities() {
            return memory.capabilities();
        }

        @Override
        public Optional<String> defaultSignaller() {
            return Optional.empty();
        }

        @Override
        public Backend open(PluginConfig config) {
            Hooked hooked = of(config);
            Backend backend = memory.open(inner(config, "memory"));
            return hooked.over(Backend.class, backend);
        }
    }

    /** Public for the service loader. */
    public static final class Signallers implements SignallerProvider {
        /** For the service loader. */
        public Signallers() {}

        @Override
        public String type() {
            return TYPE;
        }

        @Override
        public boolean shared() {
            return false;
        }

        @Override
        public Signaller open(PluginConfig config) {
            return of(config).over(Signaller.class, new LocalSignallerProvider().open(inner(config, "local")));
        }
    }

    /** Public for the service loader. */
    public static final class StatsStores implements StatsProvider {
        /** For the service loader. */
        public StatsStores() {}

        @Override
        public String type() {
            return TYPE;
        }

        @Override
        public boolean shared() {
            return false;
        }

        @Override
        public StatsStore open(PluginConfig config) {
            return of(config).over(StatsStore.class, new MemStatsProvider().open(inner(config, "mem")));
        }
    }
}

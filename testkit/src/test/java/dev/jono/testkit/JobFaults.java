package dev.jono.testkit;

import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.memory.MemoryJobStoreProvider;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.ConnectedFactory;
import dev.jono.spi.PluginConfig;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Faults between jobs and their store in memory: calls that are refused or held back, and lost replies. Thread-safe. */
final class JobFaults {
    /** The faults of the store that this thread is opening. */
    private static final ThreadLocal<@Nullable JobFaults> OPENING = new ThreadLocal<>();

    private final Map<String, Predicate<Object>> refused = new ConcurrentHashMap<>();
    private final Map<String, Loss> lost = new ConcurrentHashMap<>();
    private final Map<String, Gate> held = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> faults = new ConcurrentHashMap<>();

    private record Loss(Predicate<Object> which, AtomicInteger times) {}

    private record Gate(Predicate<Object> which, CompletableFuture<Boolean> open) {}

    /** Calls for entries of a kind: jobs read and change entries for several purposes. */
    static Predicate<Object> entriesOf(String kind) {
        return first -> kind.equals(first)
                || (first instanceof List<?> changes
                        && changes.stream()
                                .anyMatch(each -> each instanceof EntryChange change
                                        && change.kind().equals(kind)));
    }

    /** Refuses calls of this method with such a first argument. The store does not execute them. */
    void refuse(String method, Predicate<Object> which) {
        refused.put(method, which);
    }

    /** Ends {@link #refuse}. */
    void accept(String method) {
        refused.remove(method);
    }

    /** Loses the replies to the next calls of this method. The store executes them. */
    void loseReplies(String method, int times) {
        loseReplies(method, first -> true, times);
    }

    /** Loses the replies to the next calls of this method with such a first argument. */
    void loseReplies(String method, Predicate<Object> which, int times) {
        lost.put(method, new Loss(which, new AtomicInteger(times)));
    }

    /** Holds back calls of this method. */
    void hold(String method) {
        hold(method, first -> true);
    }

    /** Holds back calls of this method with such a first argument. */
    void hold(String method, Predicate<Object> which) {
        held.put(method, new Gate(which, new CompletableFuture<>()));
    }

    /** Ends {@link #hold}; the store executes what was held back. */
    void release(String method) {
        Objects.requireNonNull(held.remove(method), method).open.complete(true);
    }

    /** The number of calls of this method that met a fault. */
    int count(String method) {
        return counter(method).get();
    }

    private AtomicInteger counter(String method) {
        return faults.computeIfAbsent(method, m -> new AtomicInteger());
    }

    /** The jobs of a factory, with these faults. */
    Jobs jobs(QueueFactory jono) {
        ConnectedFactory between = proxy(ConnectedFactory.class, (method, arguments) -> {
            if (method.getName().equals("pluginLoaders")) {
                return List.of(new Loader(JobFaults.class.getClassLoader()));
            }
            return invoke(method, jono, arguments);
        });
        OPENING.set(this);
        try {
            return Jobs.on(between);
        } finally {
            OPENING.remove();
        }
    }

    private JobStore over(JobStore store) {
        return proxy(JobStore.class, (method, arguments) -> pass(method, store, arguments));
    }

    private @Nullable Object pass(Method method, JobStore store, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        Object first = arguments == null || arguments.length == 0 ? "" : Objects.requireNonNull(arguments[0]);
        Predicate<Object> refusal = refused.get(name);
        if (refusal != null && refusal.test(first)) {
            counter(name).incrementAndGet();
            return CompletableFuture.failedFuture(new StorageException("the test refused it", null, null, null));
        }
        Gate gate = held.get(name);
        if (gate != null && gate.which.test(first)) {
            counter(name).incrementAndGet();
            return gate.open.thenCompose(open -> stage(method, store, arguments));
        }
        Loss loss = lost.get(name);
        if (loss != null && loss.which.test(first) && loss.times.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            counter(name).incrementAndGet();
            return stage(method, store, arguments).thenApply(result -> {
                throw new OutcomeUnknownException("the test lost the reply", null, null, null);
            });
        }
        return invoke(method, store, arguments);
    }

    private static CompletionStage<?> stage(Method method, JobStore store, @Nullable Object @Nullable [] arguments) {
        try {
            return (CompletionStage<?>) Objects.requireNonNull(invoke(method, store, arguments));
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static @Nullable Object invoke(Method method, Object target, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw Objects.requireNonNull(thrown.getCause());
        }
    }

    private interface Call {
        @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable;
    }

    private static <I> I proxy(Class<I> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.call(method, arguments)));
    }

    /** Opens the store in memory with the faults of this thread. Public for the service loader. */
    public static final class Provider implements JobStoreProvider {
        /** For the service loader. */
        public Provider() {}

        @Override
        public Set<String> backends() {
            return Set.of("memory");
        }

        @Override
        public JobStore open(PluginConfig config) {
            return Objects.requireNonNull(OPENING.get()).over(new MemoryJobStoreProvider().open(config));
        }
    }

    /** Finds no other provider of job stores. */
    private static final class Loader extends ClassLoader {
        private static final String SERVICE = "META-INF/services/" + JobStoreProvider.class.getName();

        Loader(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(SERVICE)
                    ? Collections.enumeration(
                            List.of(Objects.requireNonNull(JobFaults.class.getResource("job-stores"))))
                    : super.getResources(name);
        }
    }
}

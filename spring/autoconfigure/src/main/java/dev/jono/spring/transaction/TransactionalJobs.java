package dev.jono.spring.transaction;

import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Jobs that are enqueued in the transaction of Spring that the thread has, if it is on their storage. All other calls act at once. */
public final class TransactionalJobs implements InvocationHandler {
    private final Jobs jobs;
    private final String backend;
    private final JoinedTransactions joined;

    private TransactionalJobs(Jobs jobs, String backend, JoinedTransactions joined) {
        this.jobs = jobs;
        this.backend = backend;
        this.joined = joined;
    }

    /**
     * Wraps jobs.
     *
     * @param backend the type of the backend of their queues
     */
    public static Jobs of(Jobs jobs, String backend, JoinedTransactions joined) {
        return (Jobs) Proxy.newProxyInstance(
                Jobs.class.getClassLoader(), new Class<?>[] {Jobs.class}, new TransactionalJobs(jobs, backend, joined));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && method.getName().startsWith("enqueue") && JoinedTransactions.isActive()) {
            Object result = join(method.getName(), arguments);
            if (result != null) {
                return result;
            }
        }
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        try {
            return method.invoke(jobs, arguments);
        } catch (InvocationTargetException failed) {
            throw Objects.requireNonNullElse(failed.getCause(), failed);
        }
    }

    /** Enqueues in the current transaction, on this thread also if the call is async; null if it cannot join it. */
    @SuppressWarnings("unchecked") // the arguments are those of an enqueue
    private @Nullable Object join(String name, Object[] arguments) {
        JobType<Object, Object> type = (JobType<Object, Object>) arguments[0];
        UnaryOperator<EnqueueOptions> options =
                arguments.length > 2 ? (UnaryOperator<EnqueueOptions>) arguments[2] : UnaryOperator.identity();
        EnqueueOptions chosen = options.apply(EnqueueOptions.none());
        UniqueMode mode = chosen.uniqueMode() != null ? chosen.uniqueMode() : type.uniqueMode();
        if (chosen.tx() != null || mode.equals(UniqueMode.LATEST)) {
            return null; // such jobs need more than the push
        }
        Object enqueued = joined.run(
                backend,
                tx -> name.equals("enqueueAll")
                        ? jobs.enqueueAll(
                                type,
                                (List<Object>) arguments[1],
                                o -> options.apply(o).in(tx))
                        : jobs.enqueue(type, arguments[1], o -> options.apply(o).in(tx)));
        return enqueued != null && name.endsWith("Async") ? CompletableFuture.completedFuture(enqueued) : enqueued;
    }
}

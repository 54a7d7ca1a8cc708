package dev.jono.internal.concurrent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the executors of a factory. The only class that knows virtual threads, which code for Java 17 cannot name. Called when
 * a factory is opened. Stateless.
 */
public final class Threads {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");
    private static final int DRIVER_THREADS = 16;
    private static final @Nullable MethodHandle PER_TASK = virtualThreadPerTask();

    private Threads() {}

    private static @Nullable MethodHandle virtualThreadPerTask() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
        } catch (NoSuchMethodException | IllegalAccessException olderThan21) {
            return null;
        }
    }

    /**
     * Threads for the application's code, which can block for a long time. Not bounded: with a bound, callbacks that wait for
     * other callbacks could deadlock.
     */
    public static ExecutorService forUsers() {
        ExecutorService virtual = virtual();
        return virtual != null
                ? virtual
                : new ThreadPoolExecutor(
                        0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons("jono-user-"));
    }

    /** Threads for blocking calls of drivers, which never wait for one another. Bounded where threads are expensive. */
    public static ExecutorService forDrivers() {
        ExecutorService virtual = virtual();
        if (virtual != null) {
            return virtual;
        }
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                DRIVER_THREADS,
                DRIVER_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemons("jono-driver-"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static @Nullable ExecutorService virtual() {
        if (PER_TASK == null) {
            return null;
        }
        try {
            ExecutorService executor = (ExecutorService) PER_TASK.invoke();
            // The JVM prepares virtual threads when the first one starts. If that fails once for lack of a thread,
            // every
            // later start fails too.
            executor.execute(() -> {});
            return executor;
        } catch (Throwable unusable) {
            LOG.warn("this JVM has no virtual threads at the moment; platform threads are used instead", unusable);
            return null;
        }
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicLong number = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}

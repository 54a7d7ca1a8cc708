package dev.jono.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns the first Ctrl-C or SIGTERM into an interrupt of the thread that created this object, so that a command ends in
 * order. The second signal ends the process at once. Commands without this object end at the first signal.
 *
 * <p>The JVM's signal class is not a supported API, so it is used by reflection. If it is missing, the JVM handles
 * signals in its own way.
 */
final class InterruptSignals implements AutoCloseable {
    private static final AtomicInteger LAST = new AtomicInteger();

    private final Thread thread = Thread.currentThread();
    private final Runnable force;
    private final AtomicInteger count = new AtomicInteger();
    private final List<Runnable> restore = new ArrayList<>();

    /**
     * Starts to listen.
     *
     * @param force runs at the second signal, before the process ends
     */
    InterruptSignals(Runnable force) {
        this.force = force;
        listen("INT", 2);
        listen("TERM", 15);
    }

    /** Starts to listen. */
    InterruptSignals() {
        this(() -> {});
    }

    private void listen(String name, int number) {
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object signal = signalClass.getConstructor(String.class).newInstance(name);
            Method handle = signalClass.getMethod("handle", signalClass, handlerClass);
            InvocationHandler received = (proxy, method, args) -> switch (method.getName()) {
                case "handle" -> {
                    onSignal(number);
                    yield null;
                }
                case "equals" -> args != null && System.identityHashCode(proxy) == System.identityHashCode(args[0]);
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "jono's signal handler";
            };
            Object ours = Proxy.newProxyInstance(
                    InterruptSignals.class.getClassLoader(), new Class<?>[] {handlerClass}, received);
            Object before = handle.invoke(null, signal, ours);
            restore.add(() -> {
                try {
                    handle.invoke(null, signal, before);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            });
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // The class is missing, or the JVM was started with -Xrs and does not handle the signal.
            restore.add(() -> {});
        }
    }

    private void onSignal(int number) {
        LAST.set(number);
        if (count.incrementAndGet() == 1) {
            thread.interrupt();
        } else {
            force.run();
            Runtime.getRuntime().halt(128 + number);
        }
    }

    /** Whether a signal has arrived. */
    boolean raised() {
        return count.get() > 0;
    }

    /** The exit code for the last signal, as in shells. */
    static int exitCode() {
        return LAST.get() == 0 ? Exit.INTERRUPTED : 128 + LAST.get();
    }

    @Override
    public void close() {
        restore.forEach(Runnable::run);
    }
}

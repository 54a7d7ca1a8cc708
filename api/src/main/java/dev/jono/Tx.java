package dev.jono;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A transaction of the application on the storage of a queue. A push with {@link PushOptions#in} becomes part of it: the
 * message is stored with the application's own data when the transaction commits, and leaves nothing when it is rolled back.
 * The module of each backend that {@linkplain Capability#TRANSACTION can do this} has a class that makes one, such as {@code
 * SqliteTx.of(connection)}.
 *
 * <p>The application begins and ends the transaction. Jono does not see its end, so report it: after {@link #committed()}, waiting
 * consumers take the messages at once. Without that call they are found too, later by as long as the transaction lasted
 * after the push, and by no more than the poll interval. A framework that manages transactions makes the call by itself, as
 * {@code jono-spring-boot-starter} does.
 *
 * <p>Thread-safe, but a push uses the connection of the application on the calling thread, and connections rarely are.
 */
public abstract class Tx {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<Boolean>> listeners = new ArrayList<>();

    /** For the classes of backends. */
    protected Tx() {}

    /**
     * Reports that the transaction has committed. Consumers that wait for its messages are woken, in other processes too.
     * Does nothing when called again without a push in between.
     */
    public final void committed() {
        end(true);
    }

    /** Reports that the transaction was rolled back. Consumers stop looking for its messages. */
    public final void rolledBack() {
        end(false);
    }

    /**
     * Registers what to do at the end of the transaction. For Jono's own modules and for wrappers of queues.
     *
     * @param listener gets whether the transaction has committed, once, on the thread that reports the end; must not
     *     block. An exception of it reaches the caller of {@link #committed} or {@link #rolledBack}, after the others ran.
     */
    public final void onEnd(Consumer<Boolean> listener) {
        Objects.requireNonNull(listener, "listener");
        lock.lock();
        try {
            listeners.add(listener);
        } finally {
            lock.unlock();
        }
    }

    private void end(boolean committed) {
        List<Consumer<Boolean>> registered;
        lock.lock();
        try {
            registered = List.copyOf(listeners);
            listeners.clear();
        } finally {
            lock.unlock();
        }
        RuntimeException failure = null;
        for (Consumer<Boolean> listener : registered) {
            try {
                listener.accept(committed);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

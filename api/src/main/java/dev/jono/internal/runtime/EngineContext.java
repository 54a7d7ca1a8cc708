package dev.jono.internal.runtime;

import dev.jono.Capability;
import dev.jono.Interceptor;
import dev.jono.JonoClock;
import dev.jono.QueueClosedException;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.internal.concurrent.CallbackExecutor;
import dev.jono.internal.concurrent.FactoryThreads;
import dev.jono.internal.concurrent.OnceTask;
import dev.jono.internal.concurrent.SpinWait;
import dev.jono.internal.log.Log;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.OutageLog;
import java.util.List;
import java.util.concurrent.Executor;

/** What all parts of the engine of one factory share. Created when a factory is opened; called on any thread. Thread-safe. */
public final class EngineContext {
    private static final Log LOG = Log.named("dev.jono");

    /** From this many blocked callers on, another thread wakes them. */
    private static final int MANY_CALLERS = 8;

    public final JonoClock clock;
    public final Backend backend;
    public final BackendTraits traits;
    public final String backendType;
    public final Executor users;
    private final Executor helpers;
    public final CallbackExecutor callbacks;
    public final List<Interceptor> interceptors;
    public final Listeners listeners;
    public final TokenSource tokens = new TokenSource();
    public final SpinWait spin = new SpinWait();
    public final OutageLog outages;
    public final StorageClock storageClock;
    private volatile boolean closed;
    private volatile boolean ended;

    public EngineContext(
            JonoClock clock,
            Backend backend,
            String backendType,
            FactoryThreads threads,
            List<Interceptor> interceptors,
            Listeners listeners) {
        this.clock = clock;
        this.backend = backend;
        this.traits = backend.traits();
        this.backendType = backendType;
        this.users = threads.users();
        this.helpers = threads.helpers();
        this.callbacks = new CallbackExecutor(threads);
        this.interceptors = interceptors;
        this.listeners = listeners;
        this.storageClock = new StorageClock(clock);
        this.outages = new OutageLog(clock);
    }

    /** Whether the backend declares a capability. */
    public boolean can(Capability capability) {
        return traits.capabilities().contains(capability);
    }

    /**
     * Checks that the backend declares a capability.
     *
     * @throws UnsupportedCapabilityException if it does not
     */
    public void require(Capability capability, String operation, String queue) {
        if (!can(capability)) {
            throw new UnsupportedCapabilityException(operation, queue, backendType, capability);
        }
    }

    /**
     * Checks that the factory is open.
     *
     * @throws QueueClosedException if it is closed
     */
    public void requireOpen(String queue) {
        if (closed) {
            throw new QueueClosedException("the factory of queue '" + queue + "' is closed", queue, null, null);
        }
    }

    public boolean closed() {
        return closed;
    }

    /** New calls are refused from now on. */
    public void close() {
        closed = true;
    }

    /** Whether the factory has closed: no call is repeated any more. */
    public boolean ended() {
        return ended;
    }

    /** Nothing is repeated from now on. */
    public void end() {
        ended = true;
    }

    /**
     * Runs a task that wakes blocked callers. Waking is expensive: for many callers another thread of the factory does it,
     * and the thread of the storage continues with the next batch. Callers that wait for a future are not woken here:
     * dependents of futures are queued for the application's threads, and another hand-over on the way would cost more.
     * Calls that this thread has still to send are sent first.
     *
     * @param callers the number of blocked callers
     */
    public void notifyCallers(int callers, Runnable task) {
        Runnable together = () -> callbacks.submitAsOne(task);
        if (callers >= MANY_CALLERS && handOver(together)) {
            return;
        }
        if (!backend.afterReads(together)) {
            together.run();
        }
    }

    /**
     * Whether the calls that wait when a batch was answered should be sent together with the next calls of its callers: both
     * together are not enough for a batch.
     *
     * @param answered the callers that are notified, or their messages
     * @param waiting the calls that wait, or their messages
     * @param enough for a batch
     */
    public boolean worthWaitingFor(long answered, long waiting, int enough) {
        return answered + waiting <= enough;
    }

    /**
     * Runs what follows from a batch that the storage has done: counting and signalling. If that fails, the callers are
     * nevertheless notified that the batch is done.
     */
    public void runConsequences(String queue, Runnable consequences) {
        try {
            consequences.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("a batch of queue '{}' is done, but could not be counted or signalled", queue, broken);
        }
    }

    /**
     * Runs a task on a thread of the factory; false if there is none, because the factory closes or there is no memory for
     * one.
     */
    public boolean handOver(Runnable task) {
        OnceTask once = new OnceTask(task);
        try {
            helpers.execute(once);
            return true;
        } catch (RuntimeException | Error refused) {
            LOG.debug("no thread to hand over to", refused);
            return !once.takeOver();
        }
    }
}

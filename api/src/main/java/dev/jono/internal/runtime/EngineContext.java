package dev.jono.internal.runtime;

import dev.jono.Capability;
import dev.jono.Interceptor;
import dev.jono.JonoClock;
import dev.jono.QueueClosedException;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.internal.concurrent.BlockedCallers;
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

/** What all parts of one factory's engine share. */
public final class EngineContext {
    private static final Log LOG = Log.named("dev.jono");

    private static final int MANY_CALLERS = 8;

    /** Of what is enough for a batch, so small a part is not worth one of its own while others are about to be begun. */
    private static final int REST = 8;

    public final JonoClock clock;
    public final Backend backend;
    public final BackendTraits traits;
    public final String backendType;
    public final Executor users;
    private final Executor helpers;
    public final CallbackExecutor callbacks;
    public final List<Interceptor> interceptors;
    public final TokenSource tokens = new TokenSource();
    public final SpinWait spin = new SpinWait();
    public final BlockedCallers blocked;
    public final OutageLog outages;
    public final StorageClock storageClock;
    private volatile boolean closed;
    private volatile boolean ended;

    public EngineContext(
            JonoClock clock,
            Backend backend,
            String backendType,
            FactoryThreads threads,
            List<Interceptor> interceptors) {
        this.clock = clock;
        this.backend = backend;
        this.traits = backend.traits();
        this.backendType = backendType;
        this.users = threads.users();
        this.helpers = threads.helpers();
        this.callbacks = new CallbackExecutor(threads);
        this.interceptors = interceptors;
        this.storageClock = new StorageClock(clock);
        this.blocked = new BlockedCallers(clock);
        this.outages = new OutageLog(clock);
    }

    public boolean can(Capability capability) {
        return traits.capabilities().contains(capability);
    }

    public void require(Capability capability, String operation, String queue) {
        if (!can(capability)) {
            throw new UnsupportedCapabilityException(operation, queue, backendType, capability);
        }
    }

    public void requireOpen(String queue) {
        if (closed) {
            throw new QueueClosedException("the factory of queue '" + queue + "' is closed", queue, null, null);
        }
    }

    public boolean closed() {
        return closed;
    }

    public void close() {
        closed = true;
    }

    /** Whether the factory has waited for what it had begun: nothing is tried again. */
    public boolean ended() {
        return ended;
    }

    public void end() {
        ended = true;
    }

    /**
     * Runs what wakes so many callers that block. Waking is dear; when many are to be woken another thread does it, and
     * the storage's thread goes on with the next batch. Who waits for a future is not woken here: what hangs on a
     * future is queued for the application's threads, and one more hand-over on the way there would cost more. What this thread
     * was given to send meanwhile leaves first.
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
     * Whether the calls that wait when a batch has been answered leave together with those that its callers begin now: where a
     * batch has a high price of its own, and both are not enough for one, or next to nothing waits.
     *
     * @param answered the callers that are told, or their messages
     * @param waiting the calls that wait, or their messages
     * @param enough for a batch
     */
    public boolean worthWaitingFor(long answered, long waiting, int enough) {
        return answered + waiting <= enough || REST * waiting <= enough;
    }

    /**
     * Does what follows from a batch that the storage has done: counts it, and signals. Whatever goes wrong here, its
     * callers are told that it is done.
     */
    public void runConsequences(String queue, Runnable consequences) {
        try {
            consequences.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("a batch of queue '{}' is done, but could not be counted or signalled", queue, broken);
        }
    }

    /** Runs a step when the callbacks that wait already have run, or soon where one of them blocks. */
    public void scheduleAfterCallbacks(Runnable step) {
        callbacks.enqueueStep(step);
    }

    /** Runs a step behind those who were told of an answer: so many threads that were woken, else callbacks. */
    public void runAfterNotified(int blocked, Runnable step) {
        if (blocked == 0) {
            scheduleAfterCallbacks(step);
        } else if (!handOver(step)) {
            step.run();
        }
    }

    /** Lets a thread of the factory do something; false if there is none: the factory closes, or there is no memory for one. */
    public boolean handOver(Runnable task) {
        OnceTask once = new OnceTask(task);
        try {
            helpers.execute(once);
            return true;
        } catch (RuntimeException | Error refused) {
            LOG.debug("no thread to hand over to", refused);
            return !once.claim();
        }
    }

    /** Runs users' code where it cannot hold up the engine. */
    public void runForUser(Runnable task) {
        callbacks.run(task);
    }
}

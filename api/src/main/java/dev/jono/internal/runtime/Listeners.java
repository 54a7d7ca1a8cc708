package dev.jono.internal.runtime;

import dev.jono.FactoryListener;
import dev.jono.StorageCallReport;
import dev.jono.StorageCallReport.Outcome;
import dev.jono.internal.log.Log;
import dev.jono.spi.Counter;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a factory. Called on threads of the storage and of callers, with no lock held. An exception of a listener must never
 * reach the engine: it is logged. Thread-safe.
 */
public final class Listeners {
    private static final Log LOG = Log.named("dev.jono");

    private final List<FactoryListener> all;

    public Listeners(List<FactoryListener> all) {
        this.all = List.copyOf(all);
    }

    /** Whether there are none, so that nothing needs to be measured. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * A call to the storage has ended.
     *
     * @param failure null if the storage has answered
     */
    public void storageCall(
            String queue, String operation, int messages, long durationNanos, @Nullable Throwable failure) {
        StorageCallReport report = StorageCallReport.of(
                queue, operation, messages, Duration.ofNanos(Math.max(0, durationNanos)), outcome(failure));
        each(listener -> listener.storageCall(report));
    }

    private static Outcome outcome(@Nullable Throwable failure) {
        if (failure == null) {
            return Outcome.DONE;
        }
        return Failures.unapplied(failure) || Failures.unstorable(failure) ? Outcome.FAILED : Outcome.UNKNOWN;
    }

    /** Messages were counted. */
    public void counted(String queue, Counter counter, long messages) {
        if (all.isEmpty()) {
            return;
        }
        each(listener -> {
            switch (counter) {
                case PUSHED -> listener.pushed(queue, messages);
                case POPPED -> listener.popped(queue, messages);
                case RESERVED -> listener.reserved(queue, messages);
                case ACKED -> listener.acked(queue, messages);
                case RETRIED -> listener.retried(queue, messages);
                case RELEASED -> listener.released(queue, messages);
                case DEAD_LETTERED -> listener.deadLettered(queue, messages);
            }
        });
    }

    private void each(Consumer<FactoryListener> call) {
        for (FactoryListener listener : all) {
            try {
                call.accept(listener);
            } catch (Throwable broken) {
                LOG.warn("listener {} failed", listener.getClass().getName(), broken);
            }
        }
    }
}

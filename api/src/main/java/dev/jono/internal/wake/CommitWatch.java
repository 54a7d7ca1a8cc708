package dev.jono.internal.wake;

import dev.jono.JonoClock;
import dev.jono.Tx;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.stats.PendingCounts;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Announces messages that were pushed in transactions of the application. The engine does not see a commit. It notifies the
 * consumers when the application {@linkplain Tx#committed reports} the commit. Before that it notifies them 10 ms after the
 * push, and again each time that this time has doubled, up to the poll interval. So a commit that is not reported costs about
 * ten signals, and consumers notice it at most as late after the commit as the commit was after the push.
 *
 * <p>Called on the threads of users and of the clock. Thread-safe.
 */
public final class CommitWatch {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final EngineContext context;
    private final Set<Watch> open = ConcurrentHashMap.newKeySet();

    public CommitWatch(EngineContext context) {
        this.context = context;
    }

    /**
     * What was pushed in one call.
     *
     * @param signals of the queue
     * @param counts of the queue
     * @param pollNanos the poll interval of the queue
     * @param dueMillis the earliest due time of the messages, by the storage's clock
     * @param messages how many are to be counted as pushed
     */
    public record Pushed(QueueSignals signals, PendingCounts counts, long pollNanos, long dueMillis, long messages) {}

    /** Messages were pushed in a transaction that has not ended. */
    public void pushed(Tx tx, Pushed pushed) {
        Watch watch = new Watch(pushed);
        open.add(watch);
        tx.onEnd(watch::ended);
        watch.plan(FIRST_NANOS);
    }

    /** Ends all watches. Called when the factory closes. */
    public void close() {
        open.forEach(watch -> watch.ended(true));
    }

    private final class Watch {
        private final Pushed pushed;
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile JonoClock.@Nullable Timer timer;

        Watch(Pushed pushed) {
            this.pushed = pushed;
        }

        void plan(long delayNanos) {
            timer = context.clock.schedule(delayNanos, () -> look(delayNanos));
            if (ended.get()) {
                cancel();
            }
        }

        /** @param waitedNanos how long the last wait was; as long have all before it taken together */
        private void look(long waitedNanos) {
            if (waitedNanos >= pushed.pollNanos()) {
                ended(true);
            } else if (!ended.get()) {
                pushed.signals().becameDue(pushed.dueMillis());
                plan(Math.min(2 * waitedNanos, pushed.pollNanos()));
            }
        }

        void ended(boolean committed) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            open.remove(this);
            cancel();
            if (committed) {
                pushed.counts().pushed(pushed.messages());
                pushed.signals().becameDue(pushed.dueMillis());
            }
        }

        private void cancel() {
            JonoClock.Timer set = timer;
            if (set != null) {
                set.cancel();
            }
        }
    }
}

package dev.jono.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.settle.ReservationImpl;
import dev.jono.spi.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds back messages that return to one queue of a worker too soon. They are given back, not counted as delivered, for a
 * pause that grows:
 *
 * <ul>
 * <li>messages that the handler releases or snoozes without delay, repeatedly: otherwise the worker would do nothing else;
 * <li>messages on which a handler of this factory still works although their lease has ended: otherwise each delivery would
 *     take more of the worker's concurrency, and two handlers might work on one message.
 * </ul>
 *
 * <p>A pause begins only when the message is here again, so another consumer is not delayed. Called on the threads of the
 * storage, and of handlers that release. Thread-safe.
 */
final class HoldBack implements ReservationImpl.ReleaseListener {
    private static final Log LOG = Log.named("dev.jono.worker");

    /** A message that returns later than this after its release is not held back. */
    private static final long AT_ONCE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long FIRST_PAUSE_MILLIS = 200;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    /** Most messages that are remembered; beyond that, the one is forgotten that was not seen for the longest time. */
    private static final int MOST = 10_000;

    private static final long LOGGED_FOR_NANOS = Duration.ofMinutes(1).toNanos();

    private final EngineContext context;
    private final String worker;
    private final String queue;
    private final Supplier<Set<String>> handling;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, Returned> returned = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Returned> eldest) {
            return size() > MOST;
        }
    };

    @GuardedBy("lock") private boolean logged;

    @GuardedBy("lock") private long loggedNanos;

    /** What is known of one message. */
    private static final class Returned {
        private int times;
        private boolean released;
        private long releasedNanos;
    }

    /** A message that is to go back for a pause. */
    record Held(HeldMessage message, long pauseMillis) {}

    /**
     * Remembers no message yet.
     *
     * @param worker its name, for log lines
     * @param handling gives the ids of the messages of the queue on which handlers of this factory work
     */
    HoldBack(EngineContext context, String worker, String queue, Supplier<Set<String>> handling) {
        this.context = context;
        this.worker = worker;
        this.queue = queue;
        this.handling = handling;
    }

    /** A handler is about to release a message, with this due time; null for its old one. */
    @Override
    public void releasing(String id, @Nullable Due due) {
        if (due != null && (due.absolute() || due.millis() > 0)) {
            return; // it comes back when its handler says so
        }
        lock.lock();
        try {
            Returned message = returned.computeIfAbsent(id, first -> new Returned());
            message.released = true;
            message.releasedNanos = context.clock.nanos();
        } finally {
            lock.unlock();
        }
    }

    /** The messages among these that are to go back, each with its pause. */
    List<Held> held(List<HeldMessage> messages) {
        boolean redelivered = messages.stream().anyMatch(each -> each.message.tries() > 0);
        // A delivery that was not settled counts as a try when the message returns.
        Set<String> running = redelivered ? handling.get() : Set.of();
        List<Held> held = new ArrayList<>(0);
        lock.lock();
        try {
            if (returned.isEmpty() && running.isEmpty()) {
                return held;
            }
            for (HeldMessage each : messages) {
                long pause = pauseMillis(each, running.contains(each.message.id()));
                if (pause > 0) {
                    held.add(new Held(each, pause));
                }
            }
        } finally {
            lock.unlock();
        }
        return held;
    }

    @GuardedBy("lock") private long pauseMillis(HeldMessage delivered, boolean runs) {
        String id = delivered.message.id();
        if (runs) {
            Returned message = returned.computeIfAbsent(id, first -> new Returned());
            message.times++;
            LOG.debug("worker '{}': message {} is not handed out again while its handler runs", worker, id);
            return grown(message.times);
        }
        Returned message = returned.get(id);
        if (message == null || !message.released) {
            return 0;
        }
        message.released = false;
        if (context.clock.nanos() - message.releasedNanos > AT_ONCE_NANOS) {
            returned.remove(id);
            return 0;
        }
        message.times++;
        if (message.times == 1) {
            return 0; // a single release is no loop
        }
        tell(id);
        return grown(message.times - 1);
    }

    private static long grown(int times) {
        return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(times - 1, 16));
    }

    @GuardedBy("lock") private void tell(String id) {
        long now = context.clock.nanos();
        if (!logged || now - loggedNanos > LOGGED_FOR_NANOS) {
            LOG.warn(
                    "worker '{}': message {} of queue '{}' is released repeatedly, and returns at once; such"
                            + " messages are held back, longer each time, up to {} s. Release or snooze with a delay",
                    worker,
                    id,
                    queue,
                    LONGEST_PAUSE_MILLIS / 1000);
        }
        logged = true;
        loggedNanos = now;
    }
}

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
 * Delays messages of one queue that come back to a worker too soon. The worker gives them back, uncounted, and they become
 * due again after a delay that grows. This concerns:
 *
 * <ul>
 * <li>messages that the handler releases or snoozes without a delay, repeatedly: otherwise the worker would do nothing else;
 * <li>messages on which a handler of this factory still works although their lease has ended: otherwise each delivery would
 *     occupy one more slot of the worker, and two handlers might work on one message.
 * </ul>
 *
 * <p>The delay begins when this worker receives the message again, not when the message is released. Until then another
 * consumer can receive it without a delay. During the delay no consumer can.
 *
 * <p>{@link WorkerSource#accept} asks for the delays, on the threads of the storage; {@link ReservationImpl} reports
 * releases, on the threads that release. Thread-safe.
 */
final class RedeliveryDelays implements ReservationImpl.ReleaseListener {
    private static final Log LOG = Log.named("dev.jono.worker");

    /** A message that comes back later than this after its release is not delayed. */
    private static final long TOO_SOON_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long FIRST_DELAY_MILLIS = 200;
    private static final long LONGEST_DELAY_MILLIS = 10_000;
    private static final int MAX_DOUBLINGS = 16;

    /** How many messages are remembered at most; beyond that, the one that was not used for the longest time is forgotten. */
    private static final int MAX_REMEMBERED = 10_000;

    /** A warning is logged again only if no released message was delayed for this time. */
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final EngineContext context;
    private final String worker;
    private final String queue;
    private final Supplier<Set<String>> handling;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, Returned> returned = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Returned> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /** When a message was delayed last because of releases, by the monotonic clock; null for never. */
    @GuardedBy("lock") private @Nullable Long lastNanos;

    /** What is known of one message. */
    private static final class Returned {
        /** How often the message came back too soon: while its handler ran, or at once after a release. */
        private int times;

        private boolean released;
        private long releasedNanos;
    }

    /** A message that is to be given back, and the delay after which it becomes due again. */
    record Delayed(HeldMessage message, long delayMillis) {}

    /**
     * The delays of one queue of a worker.
     *
     * @param worker its name, for log lines
     * @param handling returns the ids of the messages of the queue on which handlers of this factory work
     */
    RedeliveryDelays(EngineContext context, String worker, String queue, Supplier<Set<String>> handling) {
        this.context = context;
        this.worker = worker;
        this.queue = queue;
        this.handling = handling;
    }

    /** A handler is about to release a message, with this due time; null for its old one. */
    @Override
    public void releasing(String id, @Nullable Due due) {
        if (due != null && (due.absolute() || due.millis() > 0)) {
            return; // the handler has chosen a delay
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

    /** Returns the messages among these that came back too soon, each with its delay. */
    List<Delayed> delayed(List<HeldMessage> messages) {
        // A delivery that was not settled counts as a try when the message returns, so a message with 0 tries is in no
        // handler.
        boolean redelivered = messages.stream().anyMatch(each -> each.message.tries() > 0);
        Set<String> running = redelivered ? handling.get() : Set.of();
        List<Delayed> delayed = new ArrayList<>(0);
        lock.lock();
        try {
            for (HeldMessage each : messages) {
                long delay = delayMillis(each, running.contains(each.message.id()));
                if (delay > 0) {
                    delayed.add(new Delayed(each, delay));
                }
            }
        } finally {
            lock.unlock();
        }
        return delayed;
    }

    @GuardedBy("lock") private long delayMillis(HeldMessage held, boolean isHandled) {
        String id = held.message.id();
        if (isHandled) {
            Returned message = returned.computeIfAbsent(id, first -> new Returned());
            message.times++;
            LOG.debug("worker '{}': message {} is not handed out again while its handler runs", worker, id);
            return grownDelayMillis(message.times - 1);
        }
        Returned message = returned.get(id);
        if (message == null || !message.released) {
            return 0;
        }
        message.released = false;
        if (context.clock.nanos() - message.releasedNanos > TOO_SOON_NANOS) {
            returned.remove(id);
            return 0;
        }
        message.times++;
        if (message.times == 1) {
            return 0; // one release is no loop; the delays begin with the second one
        }
        warn(id);
        return grownDelayMillis(message.times - 2);
    }

    private static long grownDelayMillis(int earlierDelays) {
        return Math.min(LONGEST_DELAY_MILLIS, FIRST_DELAY_MILLIS << Math.min(earlierDelays, MAX_DOUBLINGS));
    }

    /** Warns, unless a message was delayed in the last minute. */
    @GuardedBy("lock") private void warn(String id) {
        long now = context.clock.nanos();
        if (lastNanos == null || now - lastNanos > QUIET_NANOS) {
            LOG.warn(
                    "worker '{}': message {} of queue '{}' is released repeatedly without a delay, and comes back at once;"
                            + " such messages are delayed, longer each time, up to {} s. Release or snooze with a delay",
                    worker,
                    id,
                    queue,
                    LONGEST_DELAY_MILLIS / 1000);
        }
        lastNanos = now;
    }
}

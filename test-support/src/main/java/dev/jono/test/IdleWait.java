package dev.jono.test;

import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until the workers of a factory have nothing to do: in their queues no message is due or held. Thread-safe. */
final class IdleWait {
    private final QueueFactory jono;
    private final RawQueues queues;

    IdleWait(QueueFactory jono, RawQueues queues) {
        this.jono = jono;
        this.queues = queues;
    }

    /**
     * Waits, by real time.
     *
     * @throws AssertionError if the workers are not idle in time
     */
    void await(Duration timeout) {
        try {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .atMost(timeout)
                    .until(this::isIdle);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(
                    "the workers are not idle after " + timeout.toSeconds() + " s: " + describe(), late);
        }
    }

    /** The names of the queues that the workers of the factory serve. */
    Set<String> served() {
        Set<String> names = new TreeSet<>();
        for (Worker worker : jono.workers()) {
            names.addAll(worker.queues());
        }
        return names;
    }

    /**
     * Whether nothing is to be done. A message can move from a queue that is not counted yet into one that was counted before: so the
     * queues are counted twice, and between the counts no handler may have begun or ended.
     */
    private boolean isIdle() {
        long before = ended();
        return running() == 0 && areEmpty(served()) && areEmpty(served()) && running() == 0 && ended() == before;
    }

    /** The number of messages on which handlers work. */
    private int running() {
        return jono.workers().stream()
                .mapToInt(worker -> worker.status().running())
                .sum();
    }

    /** A number that changes when a handler has ended. */
    private long ended() {
        return jono.workers().stream()
                .map(Worker::status)
                .mapToLong(status -> status.succeeded() + status.failed())
                .sum();
    }

    private boolean areEmpty(Set<String> names) {
        return names.stream().allMatch(this::isEmpty);
    }

    private boolean isEmpty(String name) {
        QueueCounts counts = queues.get(name).counts();
        return counts.reserved() == 0
                && (counts.ready() == 0 || queues.get(name).isPaused());
    }

    private String describe() {
        List<String> busy = new ArrayList<>();
        for (String name : served()) {
            if (!isEmpty(name)) {
                busy.add("queue '" + name + "' has " + queues.get(name).counts());
            }
        }
        busy.add("handlers work on " + running() + " messages");
        return String.join(", ", busy);
    }
}

package dev.jono.spring.actuate;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueStats;
import dev.jono.spring.autoconfigure.UsedQueues;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queues that hold messages, and those that the application uses. The list has their names; one entry has counts, which ask the storage.
 * An empty queue that is paused is not in the list, but has an entry.
 */
final class QueueSection implements EndpointSection {
    private final QueueFactory jono;
    private final UsedQueues used;
    private final @Nullable ListenerContainerRegistry registry;

    /**
     * A section.
     *
     * @param registry the listeners; null if the application has none
     */
    QueueSection(QueueFactory jono, UsedQueues used, @Nullable ListenerContainerRegistry registry) {
        this.jono = jono;
        this.used = used;
        this.registry = registry;
    }

    /**
     * A queue.
     *
     * @param ready messages that may be handed out now
     * @param scheduled messages that wait for their due time
     * @param reserved messages that are reserved
     * @param blocked messages that wait for an earlier message of their ordering key; 0 unless the queue is keyed
     * @param oldestReadySeconds how long the longest ready message has been due; null if none is ready
     * @param paused whether its consumption is paused
     * @param counters since the stats were begun, by all processes that share them
     */
    record Entry(
            String name,
            long ready,
            long scheduled,
            long reserved,
            long blocked,
            @Nullable Long oldestReadySeconds,
            boolean paused,
            Map<String, Long> counters) {}

    @Override
    public String name() {
        return "queues";
    }

    @Override
    public Set<String> entries() {
        Set<String> names = used();
        names.addAll(jono.queues());
        return names;
    }

    /** The queues that the application uses, whether or not they hold messages. */
    private Set<String> used() {
        Set<String> names = new TreeSet<>(used.names());
        names.add(jono.deadLetters().name());
        if (registry != null) {
            registry.containers().stream()
                    .filter(container -> !container.runsJobs())
                    .forEach(container -> names.addAll(container.sources()));
        }
        return names;
    }

    /** The queue with a name, if the application uses it, it is paused, or it holds messages. */
    private Optional<MessageQueue<EncodedPayload>> find(String name) {
        return Optional.of(jono.queue(name, Codec.raw()))
                .filter(queue -> used().contains(name)
                        || queue.isPaused()
                        || jono.queues().contains(name));
    }

    @Override
    public @Nullable Entry entry(String name) {
        return find(name).map(QueueSection::entry).orElse(null);
    }

    private static Entry entry(MessageQueue<EncodedPayload> queue) {
        QueueCounts counts = queue.counts();
        return new Entry(
                queue.name(),
                counts.ready(),
                counts.scheduled(),
                counts.reserved(),
                counts.blocked(),
                counts.oldestReadyAge().map(Duration::toSeconds).orElse(null),
                queue.isPaused(),
                counters(queue.stats()));
    }

    private static Map<String, Long> counters(QueueStats stats) {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("pushed", stats.pushed());
        counters.put("popped", stats.popped());
        counters.put("reserved", stats.reserved());
        counters.put("acked", stats.acked());
        counters.put("retried", stats.retried());
        counters.put("released", stats.released());
        counters.put("deadLettered", stats.deadLettered());
        return counters;
    }

    @Override
    public String missing(String name) {
        return "there is no queue '" + name
                + "': it holds no message, is not paused, and the application does not use it."
                + " The application uses " + used();
    }

    @Override
    public List<String> actions() {
        return List.of("pause", "resume");
    }

    @Override
    public @Nullable Entry act(String name, String action) {
        MessageQueue<EncodedPayload> queue = find(name).orElse(null);
        if (queue == null) {
            return null;
        }
        if (action.equals("pause")) {
            queue.pause();
        } else {
            queue.resume();
        }
        return entry(queue);
    }
}

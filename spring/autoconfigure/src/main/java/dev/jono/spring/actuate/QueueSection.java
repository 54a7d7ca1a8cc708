package dev.jono.spring.actuate;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues of the storage. The list has their names; one entry has counts, which ask the storage. */
final class QueueSection implements EndpointSection {
    private final QueueFactory jono;

    QueueSection(QueueFactory jono) {
        this.jono = jono;
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
    public List<String> entries() {
        return jono.queues();
    }

    @Override
    public @Nullable Entry entry(String name) {
        if (!jono.queues().contains(name)) {
            return null;
        }
        MessageQueue<EncodedPayload> queue = queue(name);
        QueueCounts counts = queue.counts();
        return new Entry(
                name,
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

    private MessageQueue<EncodedPayload> queue(String name) {
        return jono.queue(name, Codec.raw());
    }

    @Override
    public List<String> actions() {
        return List.of("pause", "resume");
    }

    @Override
    public boolean act(String name, String action) {
        if (!jono.queues().contains(name)) {
            return false;
        }
        if (action.equals("pause")) {
            queue(name).pause();
        } else {
            queue(name).resume();
        }
        return true;
    }
}

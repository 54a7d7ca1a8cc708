package dev.jono.jobs.internal;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The queues to which jobs are enqueued, so that not every enqueue opens its queue. Thread-safe. */
final class EnqueueQueues {
    private final QueueFactory jono;
    /** By the name of the type. Only the last object with a name is kept, so the number of names is the limit. */
    private final Map<String, Opened> opened = new ConcurrentHashMap<>();

    private final Consumer<JobType<?, ?>> onOpened;

    /** @param onOpened gets each type that is used */
    EnqueueQueues(QueueFactory jono, Consumer<JobType<?, ?>> onOpened) {
        this.jono = jono;
        this.onOpened = onOpened;
    }

    private record Opened(JobType<?, ?> type, Map<Lane, MessageQueue<?>> lanes) {}

    @SuppressWarnings("unchecked") // the queues of a type have its payloads
    <P> MessageQueue<P> queue(JobType<P, ?> type, Lane lane, Supplier<Codec<P>> codec) {
        Opened known = opened.get(type.name());
        if (known == null || known.type != type) {
            known = new Opened(type, new ConcurrentHashMap<>());
            opened.put(type.name(), known);
            onOpened.accept(type);
        }
        return (MessageQueue<P>)
                known.lanes.computeIfAbsent(lane, each -> TypeQueues.open(jono, type, each, codec.get()));
    }
}

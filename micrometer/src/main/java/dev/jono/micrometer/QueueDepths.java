package dev.jono.micrometer;

import dev.jono.QueueClosedException;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how many messages queues hold, at intervals, on a thread of its own, and publishes the last values as gauges. So a metrics
 * system that asks often costs the storage nothing. If the storage does not answer, the last values stay. Thread-safe.
 */
public final class QueueDepths implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QueueDepths.class);

    private final QueueFactory factory;
    private final QueueTags tags;
    private final MultiGauge messages;
    private final MultiGauge oldestAge;
    private final ScheduledExecutorService thread;

    private QueueDepths(QueueFactory factory, MeterRegistry registry, QueueTags tags) {
        this.factory = factory;
        this.tags = tags;
        this.messages = MultiGauge.builder("jono.queue.messages")
                .description("Messages in the queue, by state")
                .register(registry);
        this.oldestAge = MultiGauge.builder("jono.queue.oldest.age")
                .description("How long the longest ready message has been due; 0 if none is ready")
                .baseUnit("seconds")
                .register(registry);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "jono-metrics");
            made.setDaemon(true);
            return made;
        });
    }

    static QueueDepths start(QueueFactory factory, MeterRegistry registry, QueueTags tags, Duration interval) {
        QueueDepths depths = new QueueDepths(factory, registry, tags);
        depths.thread.scheduleWithFixedDelay(depths::read, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
        return depths;
    }

    /** Reads the queues that the storage knows. Called by one thread. */
    private void read() {
        try {
            Map<String, Sum> sums = new HashMap<>();
            factory.counts()
                    .forEach((name, counts) -> sums.computeIfAbsent(tags.of(name), tag -> new Sum())
                            .add(counts));
            publish(sums);
        } catch (QueueClosedException closed) {
            close();
        } catch (RuntimeException failure) {
            LOG.warn("queues could not be counted; counted again at the next interval: {}", failure.toString());
        }
    }

    private void publish(Map<String, Sum> sums) {
        List<MultiGauge.Row<?>> counts = new ArrayList<>();
        List<MultiGauge.Row<?>> ages = new ArrayList<>();
        sums.forEach((tag, sum) -> {
            Tags queue = Tags.of("queue", tag);
            counts.add(MultiGauge.Row.of(queue.and("state", "ready"), sum.ready));
            counts.add(MultiGauge.Row.of(queue.and("state", "scheduled"), sum.scheduled));
            counts.add(MultiGauge.Row.of(queue.and("state", "reserved"), sum.reserved));
            counts.add(MultiGauge.Row.of(queue.and("state", "blocked"), sum.blocked));
            ages.add(MultiGauge.Row.of(queue, sum.oldestSeconds));
        });
        messages.register(counts, /* overwrite= */ true);
        oldestAge.register(ages, /* overwrite= */ true);
    }

    /** The sums over the queues that share a tag. */
    private static final class Sum {
        private long ready;
        private long scheduled;
        private long reserved;
        private long blocked;
        private double oldestSeconds;

        void add(QueueCounts counts) {
            ready += counts.ready();
            scheduled += counts.scheduled();
            reserved += counts.reserved();
            blocked += counts.blocked();
            counts.oldestReadyAge().ifPresent(age -> oldestSeconds = Math.max(oldestSeconds, age.toMillis() / 1000.0));
        }
    }

    /** Ends the reads. The gauges keep their last values. Idempotent. */
    @Override
    public void close() {
        thread.shutdown();
    }
}

package dev.jono.micrometer;

import dev.jono.StorageCallReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The meters of one value of the tag {@code queue}. Meters are registered at their first use. Thread-safe. */
final class QueueMeters {
    private final MeterRegistry registry;
    private final Tags queue;
    private final Map<String, Counter> messages = new ConcurrentHashMap<>();
    private final Map<String, Timer> calls = new ConcurrentHashMap<>();
    private final Map<String, DistributionSummary> batches = new ConcurrentHashMap<>();

    /** Pushes that are not stored yet. */
    final AtomicInteger pending = new AtomicInteger();

    /** Handlers that run. */
    final AtomicInteger running = new AtomicInteger();

    QueueMeters(MeterRegistry registry, String queue) {
        this.registry = registry;
        this.queue = Tags.of("queue", queue);
        Gauge.builder("jono.pushes.pending", pending, AtomicInteger::get)
                .description("Messages that were pushed and are not stored yet")
                .tags(this.queue)
                .register(registry);
        Gauge.builder("jono.handlers.running", running, AtomicInteger::get)
                .description("Handlers that run")
                .tags(this.queue)
                .register(registry);
    }

    void count(String operation, long count) {
        messages.computeIfAbsent(
                        operation,
                        name -> Counter.builder("jono.messages")
                                .description("Messages by what happened to them")
                                .tags(queue.and("operation", name))
                                .register(registry))
                .increment((double) count);
    }

    void call(StorageCallReport call) {
        String outcome = call.outcome().name().toLowerCase(Locale.ROOT);
        calls.computeIfAbsent(
                        call.operation() + " " + outcome,
                        key -> Timer.builder("jono.storage.call")
                                .description("Calls to the storage")
                                .tags(queue.and("operation", call.operation(), "outcome", outcome))
                                .register(registry))
                .record(call.duration());
        if (call.messages() > 0) {
            batches.computeIfAbsent(
                            call.operation(),
                            name -> DistributionSummary.builder("jono.storage.batch.size")
                                    .description("Messages in one call to the storage")
                                    .baseUnit("messages")
                                    .tags(queue.and("operation", name))
                                    .register(registry))
                    .record(call.messages());
        }
    }
}

package dev.jono.benchmarks;

import dev.jono.QueueFactory;
import dev.jono.micrometer.JonoMdc;
import dev.jono.micrometer.JonoMetrics;
import dev.jono.micrometer.JonoObservations;
import dev.jono.micrometer.QueueDepths;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Rows that compare a factory with all of {@code jono-micrometer} with one without: meters, depths, observations that become timers, and
 * the MDC. No tracer: the cost of spans is the tracer's. Both share one Redis. Micrometer also makes a timer of the active observations,
 * unless it is told not to.
 */
final class ObservedRows {
    private final int rounds;
    private final double scale;

    ObservedRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Adds the rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        rows.put(
                "redis-oq-observed-64",
                () -> observed("redis-oq-observed-64", "", DefaultMeterObservationHandler::new));
        rows.put(
                "redis-oq-observed-64-no-active",
                () -> observed(
                        "redis-oq-observed-64-no-active",
                        ", without timers of active observations",
                        meters -> new DefaultMeterObservationHandler(meters, IgnoredMeters.LONG_TASK_TIMER)));
    }

    @SuppressWarnings("try") // the depths only have to be read
    private Row observed(String id, String how, Function<MeterRegistry, DefaultMeterObservationHandler> handler)
            throws Exception {
        int count = Math.max(1_000, (int) (100_000 * scale));
        MeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(handler.apply(meters));
        JonoMetrics metrics = JonoMetrics.builder(meters).build();
        try (Testbed testbed = Testbed.redis();
                QueueFactory observed = metrics.addTo(QueueFactory.builder(testbed.url()))
                        .interceptor(JonoObservations.create(observations))
                        .interceptor(new JonoMdc())
                        .connect();
                QueueDepths depths = metrics.watchDepths(observed)) {
            Interleaved.Round with = HandledMessages.round(observed, "observed", count);
            Interleaved.Round without = HandledMessages.round(testbed.jono(), "plain", count);
            Interleaved.warmUp(8, with);
            Row row = Row.ratio(
                    id,
                    "redis-oq, push and handle, 64 in flight, with meters and observations" + how + " / without",
                    0.9,
                    Interleaved.rates(rounds, with, without));
            requireObserved(meters);
            long ours = bytesPerMessage(with);
            long theirs = bytesPerMessage(without);
            return row.with(
                    "bytes allocated per message",
                    Map.of("ours", ours, "theirs", theirs),
                    String.format("%,d compared with %,d", ours, theirs));
        }
    }

    private static void requireObserved(MeterRegistry meters) {
        if (meters.get("messaging.process.duration").timer().count() == 0
                || meters.get("jono.messages").counters().isEmpty()) {
            throw new IllegalStateException("nothing was observed");
        }
    }

    /** Measured apart from the rates, because the flight recorder takes time too. */
    private static long bytesPerMessage(Interleaved.Round round) throws Exception {
        try (Allocation allocation = new Allocation()) {
            round.before();
            long messages = round.run();
            long bytes = allocation.end();
            round.after();
            return bytes / messages;
        }
    }
}

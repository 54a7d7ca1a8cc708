package dev.jono.micrometer;

import dev.jono.micrometer.tracing.BatchLinks;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;

/** Observations that become spans of OpenTelemetry, which are kept in memory. */
final class Traces implements AutoCloseable {
    final ObservationRegistry registry = ObservationRegistry.create();
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();

    Traces() {
        Tracer otel = provider.get("jono");
        OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator =
                new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        registry.observationConfig()
                .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                        new BatchLinks(tracer, propagator),
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
    }

    /** The ended spans. */
    List<SpanData> spans() {
        return exporter.getFinishedSpanItems();
    }

    /** The ended spans with a name. */
    List<SpanData> spans(String name) {
        return spans().stream().filter(span -> span.getName().equals(name)).toList();
    }

    /** The only ended span with a name. */
    SpanData span(String name) {
        List<SpanData> found = spans(name);
        if (found.size() != 1) {
            throw new AssertionError("spans with the name '" + name + "': " + found);
        }
        return found.get(0);
    }

    @Override
    public void close() {
        provider.close();
    }
}

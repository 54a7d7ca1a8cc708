package dev.jono.micrometer.tracing;

import dev.jono.Message;
import dev.jono.micrometer.HandleContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes spans of handlers. The span of a single message is a child of the span that pushed it. The span of a batch begins a trace, or
 * belongs to the current one, and has a link to the span that pushed each of its messages. Register it before the general handlers:
 *
 * <pre>{@code
 * registry.observationConfig()
 *         .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
 *                 new BatchLinks(tracer, propagator),
 *                 new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
 *                 new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
 *                 new DefaultTracingObservationHandler(tracer)));
 * }</pre>
 *
 * <p>Needs {@code micrometer-tracing}, and headers in the format of the W3C ({@code traceparent}). Thread-safe.
 */
public final class BatchLinks extends PropagatingReceiverTracingObservationHandler<HandleContext> {
    private static final String HEADER = "traceparent";

    /** Version, id of the trace, id of the span, flags; as the W3C's Trace Context says. */
    private static final Pattern TRACE_PARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2}).*");

    /** Makes spans with a tracer. The propagator continues the traces of single messages. */
    public BatchLinks(Tracer tracer, Propagator propagator) {
        super(tracer, propagator);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof HandleContext;
    }

    @Override
    public Span.Builder customizeExtractedSpan(HandleContext context, Span.Builder builder) {
        if (context.isBatch()) {
            context.messages().forEach(message -> link(message, builder));
        }
        return builder;
    }

    private void link(Message<?> message, Span.Builder builder) {
        String header = message.headers().string(HEADER);
        Matcher parent = TRACE_PARENT.matcher(header == null ? "" : header);
        if (parent.matches()) {
            builder.addLink(new Link(getTracer()
                    .traceContextBuilder()
                    .traceId(parent.group(1))
                    .spanId(parent.group(2))
                    .sampled((Integer.parseInt(parent.group(3), 16) & 1) == 1)
                    .build()));
        }
    }
}

package dev.jono.micrometer;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.concurrent.CountDownLatch;

/** A process that handles one order, and writes its span to standard output. */
final class TraceHandlerProcess {
    private TraceHandlerProcess() {}

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(1);
        try (Traces traces = new Traces()) {
            try (QueueFactory jono = QueueFactory.builder(args[0])
                    .interceptor(JonoObservations.create(traces.registry))
                    .connect()) {
                jono.worker()
                        .from(jono.queue("orders", Codec.string()), (order, delivery) -> handled.countDown())
                        .start();
                handled.await();
            }
            SpanData span = traces.span("handle orders");
            System.out.println("span " + span.getTraceId() + " " + span.getParentSpanId() + " "
                    + ProcessHandle.current().pid());
        }
    }
}

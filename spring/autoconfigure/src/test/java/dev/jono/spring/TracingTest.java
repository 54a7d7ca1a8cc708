package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration;
import dev.jono.spring.listener.ListenerContainerRegistry;
import dev.jono.spring.metrics.JonoObservationAutoConfiguration;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

/** Traces of an application with Spring Boot's tracer, that of OpenTelemetry. The spans are kept in memory. */
@SpringBootTest(properties = {"jono.url=memory:", "management.tracing.sampling.probability=1"})
@DirtiesContext
class TracingTest {
    @SpringBootConfiguration
    @ImportAutoConfiguration({
        JonoAutoConfiguration.class,
        JonoJobsAutoConfiguration.class,
        JonoListenerAutoConfiguration.class,
        JonoObservationAutoConfiguration.class,
        LifecycleAutoConfiguration.class,
        ObservationAutoConfiguration.class,
        OpenTelemetrySdkAutoConfiguration.class,
        OpenTelemetryTracingAutoConfiguration.class,
        MicrometerTracingAutoConfiguration.class
    })
    @Import(Shop.class)
    static class Application {
        @Bean
        InMemorySpanExporter spans() {
            return InMemorySpanExporter.create();
        }

        @Bean
        SpanProcessor keptSpans(InMemorySpanExporter spans) {
            return SimpleSpanProcessor.create(spans);
        }
    }

    static class Shop {
        /** The logging context of each listener. */
        final Map<String, Map<String, String>> logged = new ConcurrentHashMap<>();

        final MessageQueue<String> orders;
        final MessageQueue<String> mails;
        final MessageQueue<String> bills;

        Shop(
                @JonoQueue("orders") MessageQueue<String> orders,
                @JonoQueue("mails") MessageQueue<String> mails,
                @JonoQueue("bills") MessageQueue<String> bills) {
            this.orders = orders;
            this.mails = mails;
            this.bills = bills;
        }

        @JonoListener(queue = "orders")
        void ship(String order) {
            log("orders");
            mails.push("thanks for the " + order);
        }

        @JonoListener(queue = "mails")
        void send(String mail) {
            log("mails");
        }

        @JonoListener(queue = "bills", batch = "2", id = "bills", autoStartup = "false")
        void print(List<String> bills) {
            log("bills");
        }

        private void log(String queue) {
            logged.put(queue, Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of()));
        }
    }

    @Autowired
    private Shop shop;

    @Autowired
    private Tracer tracer;

    @Autowired
    private InMemorySpanExporter spans;

    @Autowired
    private ListenerContainerRegistry listeners;

    @BeforeEach
    void forget() {
        spans.reset();
    }

    private SpanData span(String name) {
        await("the span " + name)
                .atMost(Contexts.SOON)
                .until(() -> spans.getFinishedSpanItems().stream()
                        .anyMatch(span -> span.getName().equals(name)));
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Runs a step of the application in a span. */
    private void inSpan(Runnable step) {
        Span span = tracer.nextSpan().name("checkout").start();
        try (Tracer.SpanInScope scope = tracer.withSpan(span)) {
            assertThat(scope).isNotNull();
            step.run();
        } finally {
            span.end();
        }
    }

    @Test
    void aTraceContinuesFromThePushThroughTheListeners() {
        inSpan(() -> shop.orders.push("skates"));

        SpanData last = span("handle mails");
        SpanData checkout = span("checkout");
        SpanData push = span("push orders");
        SpanData handle = span("handle orders");
        SpanData next = span("push mails");
        assertThat(List.of(push, handle, next, last))
                .extracting(SpanData::getTraceId)
                .containsOnly(checkout.getTraceId());
        assertThat(push.getParentSpanId()).isEqualTo(checkout.getSpanId());
        assertThat(handle.getParentSpanId()).isEqualTo(push.getSpanId());
        assertThat(next.getParentSpanId()).isEqualTo(handle.getSpanId());
        assertThat(last.getParentSpanId()).isEqualTo(next.getSpanId());
        assertThat(shop.logged.get("orders"))
                .containsEntry("traceId", checkout.getTraceId())
                .containsEntry("spanId", handle.getSpanId())
                .containsEntry("jono.queue", "orders");
        assertThat(shop.logged.get("mails"))
                .containsEntry("traceId", checkout.getTraceId())
                .containsEntry("spanId", last.getSpanId())
                .containsEntry("jono.queue", "mails");
    }

    @Test
    void aBatchIsLinkedToItsPushes() {
        inSpan(() -> shop.bills.pushAll(List.of("a", "b")));
        listeners.container("bills").orElseThrow().start();

        SpanData batch = span("handle bills");
        assertThat(batch.getLinks())
                .hasSize(2)
                .extracting(link -> link.getSpanContext().getTraceId())
                .containsOnly(span("checkout").getTraceId());
        assertThat(shop.logged.get("bills")).containsEntry("traceId", batch.getTraceId());
    }
}

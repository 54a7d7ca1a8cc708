package dev.jono.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.SnoozeException;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.test.JonoExtension;
import dev.jono.test.JonoTester;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ObservationsTest {
    private final Traces traces = new Traces();

    @RegisterExtension
    final JonoExtension jono =
            JonoExtension.create().configure(factory -> factory.interceptor(JonoObservations.create(traces.registry)));

    @AfterEach
    void close() {
        traces.close();
    }

    private static MessageQueue<String> orders(QueueFactory jono) {
        return jono.queue(
                "orders",
                Codec.string(),
                QueueOptions.builder().backoff(Backoff.fixed(Duration.ZERO)).build());
    }

    private static String attribute(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }

    @Test
    void traceContinuesFromThePushToTheHandler(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> orders = orders(jono);
        MessageQueue<String> mails = jono.queue("mails", Codec.string());
        jono.worker().from(orders, (order, delivery) -> mails.push("thanks")).start();
        String[] id = new String[1];
        Observation.start("checkout", traces.registry)
                .observe(() -> id[0] = orders.push("skates").id());
        tester.awaitIdle();

        SpanData checkout = traces.span("checkout");
        SpanData push = traces.span("push orders");
        SpanData handle = traces.span("handle orders");
        SpanData next = traces.span("push mails");
        assertThat(List.of(push, handle, next)).extracting(SpanData::getTraceId).containsOnly(checkout.getTraceId());
        assertThat(push.getParentSpanId()).isEqualTo(checkout.getSpanId());
        assertThat(handle.getParentSpanId()).isEqualTo(push.getSpanId());
        assertThat(next.getParentSpanId()).isEqualTo(handle.getSpanId());
        assertThat(push.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(handle.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(attribute(push, "messaging.system")).isEqualTo("jono");
        assertThat(attribute(push, "messaging.operation.name")).isEqualTo("push");
        assertThat(attribute(push, "messaging.operation.type")).isEqualTo("send");
        assertThat(attribute(push, "messaging.destination.name")).isEqualTo("orders");
        assertThat(attribute(push, "messaging.message.id")).isEqualTo(id[0]);
        assertThat(attribute(handle, "messaging.operation.name")).isEqualTo("handle");
        assertThat(attribute(handle, "messaging.operation.type")).isEqualTo("process");
        assertThat(attribute(handle, "messaging.destination.name")).isEqualTo("orders");
        assertThat(attribute(handle, "messaging.message.id")).isEqualTo(id[0]);
        assertThat(attribute(handle, "messaging.jono.message.attempt")).isEqualTo("1");
    }

    @Test
    void everyFormOfPushIsObserved(QueueFactory jono) {
        MessageQueue<String> orders = orders(jono);
        orders.push("a");
        orders.pushAll(List.of("b", "c"));
        orders.pushAsync("d").join();
        orders.pushAllAsync(List.of("e", "f"), PushOptions.none()).join();
        assertThat(traces.spans("push orders")).hasSize(6);
        assertThat(orders.browse(null, 10))
                .extracting(message -> message.headers().string("traceparent"))
                .doesNotHaveDuplicates()
                .doesNotContainNull();
    }

    @Test
    void failedPushIsAnError(QueueFactory jono) {
        MessageQueue<String> small = jono.queue(
                "small",
                Codec.string(),
                QueueOptions.builder().maxPayloadBytes(3).build());
        assertThatThrownBy(() -> small.push("skates")).isInstanceOf(PayloadTooLargeException.class);
        SpanData push = traces.span("push small");
        assertThat(push.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(push, "error.type")).isEqualTo(PayloadTooLargeException.class.getName());
    }

    @Test
    void failedHandlerIsAnErrorAndARetryIsOfTheSameTrace(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> orders = orders(jono);
        jono.worker()
                .from(orders, (order, delivery) -> {
                    if (delivery.attempt() == 1) {
                        throw new IllegalStateException("the carrier is away");
                    }
                })
                .start();
        orders.push("skates");
        tester.awaitIdle();
        SpanData push = traces.span("push orders");
        List<SpanData> handled = traces.spans("handle orders");
        assertThat(handled).extracting(SpanData::getParentSpanId).containsExactly(push.getSpanId(), push.getSpanId());
        assertThat(handled)
                .extracting(span -> span.getStatus().getStatusCode())
                .containsExactly(StatusCode.ERROR, StatusCode.UNSET);
        assertThat(attribute(handled.get(0), "error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(attribute(handled.get(1), "messaging.jono.message.attempt")).isEqualTo("2");
    }

    @Test
    void snoozeIsNoError(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> orders = orders(jono);
        jono.worker()
                .from(orders, (order, delivery) -> {
                    throw new SnoozeException(Duration.ofHours(1));
                })
                .start();
        orders.push("skates");
        tester.awaitIdle();
        assertThat(traces.span("handle orders").getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void batchHasLinksToItsPushes(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> orders = orders(jono);
        orders.pushAll(List.of("a", "b", "c"));
        jono.worker().concurrency(3).fromBatch(orders, 3, batch -> {}).start();
        tester.awaitIdle();
        SpanData handle = traces.span("handle orders");
        List<SpanData> pushes = traces.spans("push orders");
        assertThat(handle.getLinks())
                .extracting(LinkData::getSpanContext)
                .extracting(context -> context.getTraceId() + context.getSpanId())
                .containsExactlyInAnyOrderElementsOf(pushes.stream()
                        .map(push -> push.getTraceId() + push.getSpanId())
                        .toList());
        assertThat(pushes).hasSize(3).extracting(SpanData::getTraceId).doesNotContain(handle.getTraceId());
        assertThat(attribute(handle, "messaging.batch.message_count")).isEqualTo("3");
        assertThat(attribute(handle, "messaging.message.id")).isEqualTo("null");
    }

    @Test
    void timersHaveABoundedNumberOfQueuesAndSpansTheirNames() {
        MeterRegistry meters = new SimpleMeterRegistry();
        traces.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        try (QueueFactory other = QueueFactory.builder("memory:")
                .interceptor(JonoObservations.create(traces.registry))
                .connect()) {
            for (int tenant = 1; tenant <= 110; tenant++) {
                other.queue("tenant-" + tenant, Codec.string()).push("a");
            }
        }
        assertThat(meters.find("messaging.client.operation.duration").timers())
                .hasSizeBetween(2, 101)
                .anyMatch(timer -> "other".equals(timer.getId().getTag("messaging.destination.name")));
        assertThat(attribute(traces.span("push tenant-110"), "messaging.destination.name"))
                .isEqualTo("tenant-110");
    }

    @Test
    void timersOfJobsHaveOneNameForEachType(QueueFactory jono, Jobs jobs) {
        MeterRegistry meters = new SimpleMeterRegistry();
        traces.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        JobType<String, Void> mail = JobType.of("mail", String.class);
        jobs.enqueue(mail, "a", options -> options.priority(JobPriority.HIGH));
        jobs.enqueue(mail, "b", options -> options.priority(JobPriority.LOW));
        assertThat(meters.find("messaging.client.operation.duration").timers())
                .extracting(timer -> timer.getId().getTag("messaging.destination.name"))
                .containsExactly("{jobs:mail}");
        assertThat(attribute(traces.span("push {jobs:mail}:low"), "messaging.destination.name"))
                .isEqualTo("{jobs:mail}:low");
    }

    @Test
    void conventionsCanBeReplaced() throws Exception {
        JonoObservations observations = JonoObservations.create(traces.registry)
                .pushConvention(new OpenTelemetryPushConvention() {
                    @Override
                    public KeyValues getLowCardinalityKeyValues(PushContext context) {
                        return super.getLowCardinalityKeyValues(context).and("tenant", "acme");
                    }
                })
                .handleConvention(new OpenTelemetryHandleConvention() {
                    @Override
                    public String getContextualName(HandleContext context) {
                        return "consume";
                    }
                });
        try (QueueFactory other =
                QueueFactory.builder("memory:").interceptor(observations).connect()) {
            MessageQueue<String> orders = orders(other);
            orders.push("skates");
            other.worker().from(orders, (order, delivery) -> {}).start();
            org.awaitility.Awaitility.await()
                    .until(() -> !traces.spans("consume").isEmpty());
        }
        assertThat(attribute(traces.span("push orders"), "tenant")).isEqualTo("acme");
    }
}

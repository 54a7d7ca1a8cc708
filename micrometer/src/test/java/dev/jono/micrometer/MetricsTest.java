package dev.jono.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.test.JonoExtension;
import dev.jono.test.JonoTester;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final JonoMetrics metrics = JonoMetrics.builder(registry)
            .queueTag(name -> name.replaceAll("-of-.*", ""))
            .maxQueues(2)
            .build();

    @RegisterExtension
    final JonoExtension jono = JonoExtension.create().configure(metrics::addTo);

    private double messages(String queue, String operation) {
        var counter = registry.find("jono.messages")
                .tags("queue", queue, "operation", operation)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void messagesAreCountedByWhatHappenedToThem(QueueFactory jono, JonoTester tester) throws Exception {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.pushAll(List.of("a", "b", "c", "d", "e"));
        orders.pop(Duration.ZERO);
        orders.reserve(Duration.ZERO).orElseThrow().release();
        orders.reserve(Duration.ZERO).orElseThrow().retry(Duration.ZERO);
        orders.reserve(Duration.ZERO).orElseThrow().ack();
        orders.reserve(Duration.ZERO).orElseThrow().reject("a test's");
        tester.allowDeadLetters();
        assertThat(messages("orders", "push")).isEqualTo(5);
        assertThat(messages("orders", "pop")).isEqualTo(1);
        assertThat(messages("orders", "reserve")).isEqualTo(4);
        assertThat(messages("orders", "release")).isEqualTo(1);
        assertThat(messages("orders", "retry")).isEqualTo(1);
        assertThat(messages("orders", "ack")).isEqualTo(1);
        assertThat(messages("orders", "dead_letter")).isEqualTo(1);
    }

    @Test
    void callsAreTimedAndBatchesMeasured(QueueFactory jono) {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.pushAll(List.of("a", "b", "c"));
        assertThat(registry.get("jono.storage.call")
                        .tags("queue", "orders", "operation", "push", "outcome", "done")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("jono.storage.batch.size")
                        .tags("queue", "orders", "operation", "push")
                        .summary()
                        .totalAmount())
                .isEqualTo(3);
    }

    @Test
    void handlersThatRunAreCounted(QueueFactory jono, JonoTester tester) throws Exception {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch mayEnd = new CountDownLatch(1);
        jono.worker()
                .concurrency(2)
                .from(orders, (order, delivery) -> {
                    begun.countDown();
                    mayEnd.await();
                })
                .start();
        orders.pushAll(List.of("a", "b"));
        begun.await();
        assertThat(gauge("jono.handlers.running", "queue", "orders")).isEqualTo(2);
        mayEnd.countDown();
        tester.awaitIdle();
        assertThat(gauge("jono.handlers.running", "queue", "orders")).isZero();
    }

    @Test
    void noPushStaysPending(QueueFactory jono) {
        MessageQueue<String> orders = jono.queue(
                "orders",
                Codec.string(),
                QueueOptions.builder().maxPayloadBytes(3).build());
        orders.push("a");
        orders.pushAsync("b").join();
        assertThatThrownBy(() -> orders.push("skates")).isInstanceOf(PayloadTooLargeException.class);
        assertThat(gauge("jono.pushes.pending", "queue", "orders")).isZero();
    }

    @Test
    void numberOfTagsIsBounded(QueueFactory jono) {
        for (String name : List.of("orders-of-acme", "orders-of-ajax", "mails", "third", "fourth")) {
            jono.queue(name, Codec.string()).push("a");
        }
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTag("queue"))
                .containsOnly("orders", "mails", "other");
        assertThat(messages("orders", "push")).isEqualTo(2);
        assertThat(messages("other", "push")).isEqualTo(2);
    }

    @Test
    void jobsTakeNoTagFromOtherQueues(QueueFactory jono, Jobs jobs) {
        for (String name : List.of("resize", "mail", "third", "fourth")) {
            JobType<String, Void> type = JobType.of(name, String.class);
            jobs.enqueue(type, "a", options -> options.priority(JobPriority.HIGH));
            jobs.enqueue(type, "b", options -> options.priority(JobPriority.LOW));
        }
        for (String name : List.of("orders", "invoices")) {
            jono.queue(name, Codec.string()).push("a");
        }
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTag("queue"))
                .containsOnly("{jobs:resize}", "{jobs:mail}", "orders", "invoices", "other");
        assertThat(messages("{jobs:mail}", "push")).isEqualTo(2);
        assertThat(messages("other", "push")).isEqualTo(4);
    }

    @Test
    void failedJobsAreNotCountedAsReadyJobs(QueueFactory jono, Jobs jobs, JonoTester tester) {
        JobType<String, Void> mail = JobType.of("mail", String.class);
        jobs.enqueue(mail, "nobody");
        jobs.runner()
                .handle(mail, (to, run) -> {
                    throw run.fail("no such address");
                })
                .start();
        tester.awaitIdle();
        tester.allowDeadLetters();
        QueueDepths depths = metrics.watchDepths(jono);
        await().until(() -> registry.find("jono.queue.oldest.age").gauge() != null);
        assertThat(gauge("jono.queue.messages", "queue", "{jobs:mail}", "state", "ready"))
                .isZero();
        assertThat(gauge("jono.queue.messages", "queue", "{jobs:mail}:failed", "state", "ready"))
                .isEqualTo(1);
        depths.close();
    }

    /** {@link JobQueues} knows the names by heart. */
    @Test
    void queuesOfJobsAreRecognized(QueueFactory jono, Jobs jobs) {
        JobType<String, Void> mail = JobType.of("mail.eu", String.class);
        for (JobPriority priority : JobPriority.values()) {
            jobs.enqueue(mail, "a", options -> options.priority(priority));
        }
        jobs.enqueue(mail.key(text -> "acme"), "a");
        assertThat(jono.queues()).hasSize(6).allSatisfy(queue -> {
            assertThat(Jobs.typeOfQueue(queue)).hasValue("mail.eu");
            assertThat(JobQueues.isOne(queue)).isTrue();
            assertThat(JobQueues.meterName(queue)).isEqualTo("{jobs:mail.eu}");
        });
        assertThat(List.of("mails", "{jobs:mail}", "{orders}:high", "{jobs:}:high"))
                .noneMatch(JobQueues::isOne)
                .allSatisfy(queue -> assertThat(Jobs.typeOfQueue(queue)).isEmpty());
    }

    @Test
    void depthsAreRead(QueueFactory jono, JonoTester tester) throws Exception {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.pushAll(List.of("a", "b", "c"));
        orders.push("later", PushOptions.delay(Duration.ofHours(1)));
        orders.reserve(Duration.ZERO);
        tester.clock().advance(Duration.ofSeconds(20));
        QueueDepths depths = metrics.watchDepths(jono);
        await().until(() -> registry.find("jono.queue.oldest.age").gauge() != null);
        assertThat(gauge("jono.queue.messages", "queue", "orders", "state", "ready"))
                .isEqualTo(2);
        assertThat(gauge("jono.queue.messages", "queue", "orders", "state", "scheduled"))
                .isEqualTo(1);
        assertThat(gauge("jono.queue.messages", "queue", "orders", "state", "reserved"))
                .isEqualTo(1);
        assertThat(gauge("jono.queue.messages", "queue", "orders", "state", "blocked"))
                .isZero();
        assertThat(gauge("jono.queue.oldest.age", "queue", "orders")).isEqualTo(20);
        depths.close();
    }

    @Test
    void depthsFollowAndForgetQueues(QueueFactory jono) {
        JonoMetrics often = JonoMetrics.builder(registry)
                .depthInterval(Duration.ofSeconds(1))
                .build();
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.push("a");
        QueueDepths depths = often.watchDepths(jono);
        await().until(() -> registry.find("jono.queue.messages").gauge() != null);
        orders.deleteWithMessages();
        await().until(() -> registry.find("jono.queue.messages").gauge() == null);
        depths.close();
    }

    @Test
    void eachMeterIsDescribed(QueueFactory jono) {
        jono.queue("orders", Codec.string()).push("a");
        assertThat(registry.getMeters())
                .isNotEmpty()
                .extracting(Meter::getId)
                .allSatisfy(
                        id -> assertThat(id.getDescription()).as(id.getName()).isNotBlank());
    }

    @Test
    void settingsAreChecked() {
        assertThatThrownBy(() -> JonoMetrics.builder(registry).maxQueues(0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JonoMetrics.builder(registry).depthInterval(Duration.ofMillis(10)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

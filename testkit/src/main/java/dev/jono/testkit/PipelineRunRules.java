package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Several links and workers, stops and killed clients: nothing is lost. */
abstract class PipelineRunRules extends PipelineCase {
    private final ConcurrentLinkedQueue<String> out = new ConcurrentLinkedQueue<>();

    PipelineRunRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private MessageQueue<String> in(QueueFactory client, String name) {
        return queue(client, name, QueueOptions.builder().lease(seconds(10)).build());
    }

    /** Three stages a, b and c that each add their letter, and a sink that records the results. */
    private Pipeline threeSteps(QueueFactory client, int concurrency) {
        return client.pipeline("shop")
                .concurrency(concurrency)
                .direct(
                        in(client, "a"),
                        in(client, "b"),
                        (p, m) -> Outcome.next().payload(p + "a"))
                .direct(
                        in(client, "b"),
                        in(client, "c"),
                        (p, m) -> Outcome.next().payload(p + "b"))
                .sink(in(client, "c"), (p, m) -> {
                    out.add(p);
                    return Outcome.next();
                })
                .start();
    }

    @Test
    void severalWorkersPerStageInSeveralClientsHandleEachOnce() {
        List<Pipeline> pipelines = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            pipelines.add(threeSteps(client(), 4));
        }
        List<String> expected = new ArrayList<>();
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            pushed.add("m" + i);
            expected.add("m" + i + "ab");
        }
        queue("a").pushAll(pushed);
        awaitReal("everything to reach the sink", () -> out.size() >= 400);
        awaitReal(
                "the queues to be empty",
                () -> queue("a").totalSize()
                                + queue("b").totalSize()
                                + queue("c").totalSize()
                        == 0);
        pipelines.forEach(p -> assertThat(p.stop(Duration.ofSeconds(20))).isTrue());
        assertThat(out).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void stopInTheMiddleLosesNothing() {
        Pipeline first = threeSteps(client(), 2);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            queue("a").push("m" + i);
            expected.add("m" + i + "ab");
        }
        assertThat(first.stop(Duration.ofSeconds(20))).isTrue();
        long waiting =
                queue("a").totalSize() + queue("b").totalSize() + queue("c").totalSize();
        assertThat(waiting + out.size()).isEqualTo(200);
        Pipeline second = threeSteps(client(), 2);
        awaitReal("everything to reach the sink", () -> out.size() >= 200);
        assertThat(second.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(out).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void deathOfAClientInTheMiddleLosesNothing() {
        Faults death = new Faults();
        CountDownLatch dead = new CountDownLatch(1);
        QueueFactory dies = client(death);
        AtomicInteger working = new AtomicInteger();
        Pipeline first = dies.pipeline("shop")
                .concurrency(3)
                .direct(in(dies, "a"), in(dies, "b"), (payload, message) -> {
                    working.incrementAndGet();
                    dead.await();
                    return Outcome.next();
                })
                .start();
        queue("a").pushAll(List.of("m0", "m1", "m2", "m3"));
        awaitReal("three to run", () -> working.get() == 3);
        // From here on no call of that client reaches the storage.
        for (Call call : List.of(Call.CLAIM, Call.ACK, Call.RELEASE, Call.EXTEND, Call.MOVE, Call.INSERT)) {
            death.refuse(call, request -> true);
        }
        passUntil("the leases to end", seconds(100), () -> queue("a").counts().reserved() == 0);
        Pipeline second = threeSteps(client(), 2);
        passUntil("everything to reach the sink", seconds(100), () -> out.size() >= 4);
        dead.countDown();
        CompletableFuture<?> stopped = inBackground(() -> first.stop(seconds(5)));
        passUntil("the second to stop", seconds(100), inBackground(() -> second.stop(Duration.ofSeconds(20)))::isDone);
        assertThat(out).containsExactlyInAnyOrder("m0ab", "m1ab", "m2ab", "m3ab");
        passUntil("the dead one to stop", seconds(100), stopped::isDone);
    }

    @Test
    void pausedQueueStopsItsLinkAlone() {
        Pipeline pipeline = threeSteps(jono(), 1);
        queue("b").pause();
        queue("a").push("m");
        awaitReal("the message to wait in b", () -> queue("b").size() == 1);
        assertThat(out).isEmpty();
        queue("b").resume();
        awaitReal("the message to reach the sink", () -> out.size() == 1);
        assertThat(pipeline.stop(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void processorsPassTheInterceptors() {
        AtomicInteger handled = new AtomicInteger();
        QueueFactory client = connect(storage().client().interceptor(new Interceptor() {
            @Override
            public void handle(Message<?> message, Handling handling) throws Exception {
                handled.incrementAndGet();
                handling.proceed();
            }
        }));
        Pipeline pipeline = threeSteps(client, 1);
        queue("a").push("m");
        awaitReal("the message to reach the sink", () -> out.size() == 1);
        assertThat(pipeline.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(handled).hasValue(3);
    }
}

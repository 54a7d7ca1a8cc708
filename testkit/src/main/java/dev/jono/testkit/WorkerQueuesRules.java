package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.spi.ClaimRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers: several queues, by weight and in strict order, and queues that the worker itself pushes to. */
abstract class WorkerQueuesRules extends WorkerCase {
    WorkerQueuesRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void concurrencyIsSharedByItsQueues() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        MessageQueue<String> one = queue("one");
        MessageQueue<String> two = queue("two");
        one.pushAll(numbered(20));
        two.pushAll(numbered(20));
        WorkerBuilder builder = jono().worker().concurrency(4);
        for (MessageQueue<String> queue : List.of(one, two)) {
            builder.from(queue, (payload, delivery) -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                go.await();
                running.decrementAndGet();
            });
        }
        start(builder);
        awaitReal("four to run", () -> running.get() == 4);
        go.countDown();
        awaitReal("all to be handled", () -> one.totalSize() + two.totalSize() == 0);
        assertThat(most.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void factoryListsItsWorkersUntilTheyStop() {
        assertThat(jono().workers()).isEmpty();
        Worker both = start(jono().worker()
                .name("both")
                .concurrency(2)
                .from(queue("one"), (payload, delivery) -> {})
                .fromBatch(queue("two"), 2, batch -> {})
                .from(queue("one"), (payload, delivery) -> {}));
        Worker single = start(jono().worker().from(queue("two"), (payload, delivery) -> {}));
        assertThat(jono().workers()).containsExactly(both, single);
        assertThat(both.name()).isEqualTo("both");
        assertThat(both.queues()).containsExactly("one", "two");
        both.stop(Duration.ofSeconds(20));
        assertThat(jono().workers()).containsExactly(single);
    }

    @Test
    void strictWorkerServesItsFirstQueueFirst() {
        MessageQueue<String> urgent = queue("urgent");
        MessageQueue<String> other = queue("other");
        other.pushAll(numbered(20));
        urgent.pushAll(numbered(20));
        start(jono().worker()
                .strictOrder()
                .from(urgent, (payload, delivery) -> handled.add("urgent"))
                .from(other, (payload, delivery) -> handled.add("other")));
        awaitReal("all to be handled", () -> urgent.totalSize() + other.totalSize() == 0);
        List<String> order = new ArrayList<>(handled);
        // One message of the other queue may be handled while the first claim is in flight.
        assertThat(order.subList(0, 20).stream().filter("urgent"::equals).count())
                .isGreaterThanOrEqualTo(19);
    }

    /** Small claims cost much more, and queues with a high weight are often empty. */
    @Test
    void queueGetsTheWholeConcurrencyWhileTheOthersAreEmpty() {
        Faults faults = new Faults();
        QueueFactory client = client(faults);
        start(client.worker()
                .concurrency(50)
                .from(client.queue("urgent", Codec.string()), 16, (payload, delivery) -> {})
                .from(client.queue("other", Codec.string()), 1, (payload, delivery) -> {}));
        MessageQueue<String> other = queue("other");
        awaitReal("a claim of 50", () -> {
            other.push("more");
            return faults.requests(Call.CLAIM).stream().anyMatch(claim -> ((ClaimRequest) claim).max() == 50);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void weightedWorkerServesByWeightAndStarvesNone(int concurrency) {
        MessageQueue<String> heavy = queue("heavy");
        MessageQueue<String> light = queue("light");
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger held = new AtomicInteger();
        CountDownLatch full = new CountDownLatch(100);
        start(jono().worker()
                .concurrency(concurrency)
                .from(heavy, 4, (payload, delivery) -> {
                    if (go.getCount() > 0) {
                        held.incrementAndGet();
                        go.await();
                        return;
                    }
                    handled.add("heavy");
                    full.countDown();
                })
                .from(light, 1, (payload, delivery) -> {
                    if (go.getCount() > 0) {
                        return;
                    }
                    handled.add("light");
                    full.countDown();
                }));
        light.push("the worker checks this queue");
        awaitReal("the first message to be handled", () -> light.totalSize() == 0);
        heavy.pushAll(numbered(concurrency));
        awaitReal("no room", () -> held.get() == concurrency);
        heavy.pushAll(numbered(100));
        light.pushAll(numbered(50));
        go.countDown();
        awaitReal("a hundred messages to be handled", () -> full.getCount() == 0);
        List<String> order = new ArrayList<>(handled).subList(0, 100);
        long heavies = order.stream().filter("heavy"::equals).count();
        assertThat(heavies).as("of 100, with weights 4 to 1").isBetween(68L, 92L);
        awaitReal("the rest", () -> heavy.totalSize() + light.totalSize() == 0);
    }

    @Test
    void workerThatPushesToItsOwnFullQueueDoesNotDeadlock() {
        MessageQueue<String> queue =
                orders(jono(), QueueOptions.builder().maxPendingMessages(2).build());
        AtomicInteger count = new AtomicInteger();
        queue.pushAll(List.of("0", "0", "0", "0"));
        start(jono().worker().concurrency(8).prefetch(8).from(queue, (payload, delivery) -> {
            count.incrementAndGet();
            int depth = Integer.parseInt(payload);
            if (depth < 5) {
                queue.pushAll(List.of(String.valueOf(depth + 1), String.valueOf(depth + 1)));
            }
        }));
        awaitReal("the tree to be handled", () -> count.get() == 4 * 63);
        awaitReal("the queue to be empty", () -> queue.totalSize() == 0);
    }
}

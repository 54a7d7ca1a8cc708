package dev.jono.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.BatchHandler;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker with a limit of handlers claims no more messages than they can take, so that batches fill up in the queue. */
final class MaxHandlersTest {
    private final QueueFactory jono = QueueFactory.connect("memory:");
    private final MessageQueue<String> queue = jono.queue("rows", String.class);
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
    private final BatchHandler<String> blocking = batch -> {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        sizes.add(batch.size());
        go.await();
        running.decrementAndGet();
    };

    @AfterEach
    void close() {
        go.countDown();
        jono.close();
    }

    /** Starts the worker, and occupies its handlers with one message each. */
    private void occupy(WorkerBuilder builder, int handlers) {
        Worker worker = builder.start();
        for (int i = 1; i <= handlers; i++) {
            int occupied = i;
            queue.push("alone");
            await().until(() -> running.get() == occupied);
        }
        assertThat(worker.status().running()).isEqualTo(handlers);
    }

    private void push(int messages) {
        IntStream.range(0, messages).forEach(i -> queue.push("m" + i));
    }

    private List<Integer> sizesAtTheEnd() {
        go.countDown();
        await().until(() -> queue.totalSize() == 0);
        return new ArrayList<>(sizes);
    }

    @Test
    void messagesThatComeOneByOneGatherWhileTheHandlerRuns() {
        occupy(jono.worker().concurrency(10).maxHandlers(1).fromBatch(queue, 10, blocking), 1);
        push(25);
        assertThat(queue.counts().reserved()).isOne();
        assertThat(sizesAtTheEnd()).containsExactly(1, 10, 10, 5);
        assertThat(most).hasValue(1);
    }

    @Test
    void asManyBatchesRunAsThereAreHandlers() {
        queue.pushAll(IntStream.range(0, 50).mapToObj(i -> "m" + i).toList());
        jono.worker()
                .concurrency(30)
                .maxHandlers(3)
                .fromBatch(queue, 10, blocking)
                .start();
        await().until(() -> running.get() == 3);
        assertThat(sizes).containsExactly(10, 10, 10);
        assertThat(queue.counts().reserved()).isEqualTo(30);
        assertThat(sizesAtTheEnd()).hasSize(5);
        assertThat(most).hasValue(3);
    }

    @Test
    void onlyThePrefetchIsClaimedInAdvance() {
        occupy(jono.worker().concurrency(10).maxHandlers(1).prefetch(10).fromBatch(queue, 10, blocking), 1);
        queue.pushAll(IntStream.range(0, 25).mapToObj(i -> "m" + i).toList());
        await().until(() -> queue.counts().reserved() == 11);
        assertThat(sizesAtTheEnd()).containsExactly(1, 10, 10, 5);
        assertThat(most).hasValue(1);
    }

    @Test
    void theLimitIsThatOfAllQueues() {
        MessageQueue<String> other = jono.queue("other", String.class);
        occupy(
                jono.worker()
                        .concurrency(100)
                        .maxHandlers(2)
                        .fromBatch(queue, 10, blocking)
                        .from(other, (payload, delivery) -> blocking.handle(List.of(delivery))),
                2);
        other.push("waits");
        push(5);
        assertThat(other.counts().reserved()).isZero();
        sizesAtTheEnd();
        await().until(() -> other.totalSize() == 0);
        assertThat(most).hasValue(2);
    }

    @Test
    void theConcurrencyIsALimitToo() {
        queue.pushAll(List.of("a", "b", "c", "d"));
        jono.worker()
                .concurrency(2)
                .maxHandlers(4)
                .from(queue, (payload, delivery) -> blocking.handle(List.of(delivery)))
                .start();
        await().until(() -> running.get() == 2);
        sizesAtTheEnd();
        assertThat(most).hasValue(2);
    }

    @Test
    void thereIsAtLeastOneHandler() {
        assertThatThrownBy(() -> jono.worker().maxHandlers(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxHandlers");
    }
}

package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.TypeRef;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;

/** Methods that take lists: a batch of messages, or a list as the payload of one message. */
class ListListenersTest {
    private static final TypeRef<List<Integer>> NUMBERS = new TypeRef<>() {};

    static class OneAtATime {
        final CountDownLatch go = new CountDownLatch(1);
        final AtomicInteger running = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final List<Integer> sizes = new CopyOnWriteArrayList<>();

        @JonoListener(queue = "rows", concurrency = "1", batch = "10", id = "rows")
        void insert(List<Integer> rows) throws InterruptedException {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            sizes.add(rows.size());
            go.await();
            running.decrementAndGet();
        }
    }

    @Test
    void theConcurrencyCountsLists() {
        Contexts.inMemory().withBean(OneAtATime.class).run(context -> {
            OneAtATime bean = context.getBean(OneAtATime.class);
            MessageQueue<Integer> rows = context.getBean(QueueFactory.class).queue("rows", Integer.class);
            rows.push(0);
            await().atMost(Contexts.SOON).until(() -> bean.running.get() == 1);
            for (int i = 1; i <= 5; i++) {
                rows.push(i);
            }
            assertThat(rows.counts().reserved()).isOne();
            bean.go.countDown();
            await().atMost(Contexts.SOON).until(() -> rows.totalSize() == 0);
            assertThat(bean.most).hasValue(1);
            assertThat(bean.sizes).containsExactly(1, 5);
            assertThat(context.getBean(ListenerContainerRegistry.class)
                            .container("rows")
                            .orElseThrow()
                            .concurrency())
                    .isOne();
        });
    }

    static class ListsAsPayloads {
        final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

        @JonoListener(queue = "lists", batch = "false")
        void list(List<Integer> numbers, @Header(JonoHeaders.QUEUE) String queue) {
            heard.add(numbers);
        }

        @JonoListener(queue = "annotated", batch = "false")
        void annotated(@Payload List<Integer> numbers) {
            heard.add(numbers);
        }

        @JonoListener(queue = "batches", batch = "2")
        void batch(@Payload List<List<Integer>> lists) {
            heard.add(lists);
        }

        @JonoJob(type = "sum", batch = "false")
        int sum(List<Integer> numbers) {
            return numbers.stream().mapToInt(Integer::intValue).sum();
        }
    }

    @Test
    void aListCanBeThePayload() {
        Contexts.inMemory().withBean(ListsAsPayloads.class).run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            BlockingQueue<Object> heard = context.getBean(ListsAsPayloads.class).heard;
            jono.queue("lists", NUMBERS).push(List.of(1, 2));
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(List.of(1, 2));
            jono.queue("annotated", NUMBERS).push(List.of(3, 4));
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(List.of(3, 4));
            jono.queue("batches", NUMBERS).push(List.of(5, 6));
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(List.of(List.of(5, 6)));
        });
    }

    @Test
    void aListCanBeThePayloadOfAJob() {
        Contexts.inMemory().withBean(ListsAsPayloads.class).run(context -> {
            JobType<List<Integer>, Integer> sum = JobType.of("sum", NUMBERS).returning(Integer.class);
            assertThat(context.getBean(Jobs.class)
                            .enqueue(sum, List.of(1, 2, 3))
                            .await(Contexts.SOON))
                    .isEqualTo(6);
        });
    }
}

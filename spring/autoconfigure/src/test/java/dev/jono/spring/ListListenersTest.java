package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Methods that take lists. */
class ListListenersTest {
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
}

package dev.jono.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import dev.jono.internal.fakes.Hooked;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A strict worker serves the first queue that has messages, from its start on. */
final class StrictOrderTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    @Test
    void lowerQueueWaitsUntilItIsKnownWhetherTheFirstOneIsPaused() {
        CompletableFuture<Set<String>> flags = new CompletableFuture<>();
        CountDownLatch read = new CountDownLatch(1);
        hooked.on("paused", (queues, real) -> {
            read.countDown();
            return flags;
        });
        QueueFactory jono = hooked.connect();
        MessageQueue<String> urgent = jono.queue("urgent", String.class);
        QueueOptions ownStats = QueueOptions.builder().stats("mem:").build();
        MessageQueue<String> other = jono.queue("other", String.class, ownStats);
        other.push("a");
        urgent.push("b");
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        try (Worker worker = jono.worker()
                .strictOrder()
                .from(urgent, (text, delivery) -> handled.add("urgent"))
                .from(other, (text, delivery) -> handled.add("other"))
                .start()) {
            await().until(() -> read.getCount() == 0);
            flags.complete(Set.of());
            await().until(() -> handled.size() == 2);
            assertThat(handled).containsExactly("urgent", "other");
            assertThat(worker.status().failed()).isZero();
        }
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.Reservation;
import dev.jono.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Many producers and consumers in several clients: every message arrives, none arrives twice, and nothing fails. */
abstract class CompetingRules extends ContractCase {
    private static final int CLIENTS = 3;
    private static final int PRODUCERS = 4;
    private static final int EACH = 250;

    CompetingRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private final List<String> pushed = java.util.Collections.synchronizedList(new ArrayList<>());

    private List<CompletableFuture<?>> startProducers(List<MessageQueue<String>> queues) {
        List<CompletableFuture<?>> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            MessageQueue<String> queue = queues.get(p % queues.size());
            String prefix = "p" + p + "-";
            producers.add(inBackground(() -> {
                for (int i = 0; i < EACH; i++) {
                    if (i % 10 == 0) {
                        queue.pushAll(List.of(prefix + i, prefix + "list" + i));
                        pushed.add(prefix + "list" + i);
                    } else {
                        queue.push(prefix + i);
                    }
                    pushed.add(prefix + i);
                }
                return "pushed";
            }));
        }
        return producers;
    }

    private List<MessageQueue<String>> queues() {
        List<MessageQueue<String>> queues = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
            queues.add(orders(client()));
        }
        return queues;
    }

    private void assertCompleteUniqueAndQuiet(Iterable<String> got) {
        assertThat(got).containsExactlyInAnyOrderElementsOf(pushed);
        assertThat(orders().counts()).isEqualTo(QueueCounts.of(0, 0, 0));
        if (declared(Capability.RESERVE)) {
            assertThat(jono().deadLetters().totalSize()).isZero();
        }
    }

    @Test
    void poppedMessagesAreCompleteAndUnique() {
        List<MessageQueue<String>> queues = queues();
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        AtomicBoolean producing = new AtomicBoolean(true);
        List<CompletableFuture<?>> consumers = new ArrayList<>();
        for (int c = 0; c < 6; c++) {
            MessageQueue<String> queue = queues.get(c % CLIENTS);
            int batch = 1 + c * 3;
            consumers.add(inBackground(() -> {
                while (producing.get()) {
                    for (Message<String> m : queue.pop(batch, Duration.ofHours(1))) {
                        got.add(m.payload());
                    }
                }
                return "done";
            }));
        }
        startProducers(queues).forEach(CompletableFuture::join);
        awaitReal("all messages", () -> got.size() >= pushed.size());
        producing.set(false);
        awaitReal("consumers to end", () -> {
            queues.forEach(MessageQueue::cancelAll);
            return consumers.stream().allMatch(CompletableFuture::isDone);
        });
        consumers.forEach(CompletableFuture::join);
        assertCompleteUniqueAndQuiet(got);
    }

    @Test
    void reservedMessagesAreCompleteAndUniqueThoughSomeAreRetriedAndReleased() {
        requires(Capability.RESERVE);
        List<MessageQueue<String>> queues = queues();
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        AtomicBoolean producing = new AtomicBoolean(true);
        List<CompletableFuture<?>> consumers = new ArrayList<>();
        for (int c = 0; c < 6; c++) {
            MessageQueue<String> queue = queues.get(c % CLIENTS);
            int number = c;
            consumers.add(inBackground(() -> {
                for (int n = 0; producing.get(); n++) {
                    Optional<Reservation<String>> found = queue.reserve(Duration.ofHours(1));
                    if (found.isEmpty()) {
                        continue;
                    }
                    Reservation<String> r = found.get();
                    if (n % 7 == number && r.tries() < 3) {
                        r.retry(Duration.ZERO);
                    } else if (n % 11 == number) {
                        r.release();
                    } else {
                        r.ack();
                        got.add(r.payload());
                    }
                }
                return "done";
            }));
        }
        startProducers(queues).forEach(CompletableFuture::join);
        awaitReal("all messages", () -> got.size() >= pushed.size());
        producing.set(false);
        awaitReal("consumers to end", () -> {
            queues.forEach(MessageQueue::cancelAll);
            return consumers.stream().allMatch(CompletableFuture::isDone);
        });
        consumers.forEach(CompletableFuture::join);
        assertCompleteUniqueAndQuiet(got);
    }

    @Test
    void workersOfSeveralClientsShareTheWork() {
        requires(Capability.RESERVE);
        List<MessageQueue<String>> queues = new ArrayList<>();
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        List<Worker> workers = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
            var client = client();
            MessageQueue<String> queue = orders(client);
            queues.add(queue);
            workers.add(client.worker()
                    .concurrency(4)
                    .prefetch(c * 5)
                    .from(queue, (payload, delivery) -> got.add(payload))
                    .start());
        }
        startProducers(queues).forEach(CompletableFuture::join);
        awaitReal("all messages to be handled", () -> orders().totalSize() == 0 && got.size() >= pushed.size());
        workers.forEach(w -> assertThat(w.stop(Duration.ofSeconds(20))).isTrue());
        assertCompleteUniqueAndQuiet(got);
    }
}

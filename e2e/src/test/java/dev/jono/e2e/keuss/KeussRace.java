package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/**
 * Jono and keuss each push 2,500 messages to one queue, and both take until all messages have arrived, each once.
 *
 * @param theirs the queue {@code qs} in keuss, to take from
 * @param producer a second object of the same queue, to push to
 */
record KeussRace(KeussQueue theirs, KeussQueue producer, QueueFactory jono) {
    private static <T> T got(CompletableFuture<T> future) throws Exception {
        return future.get(KeussCase.LONG.toSeconds(), TimeUnit.SECONDS);
    }

    void pop() throws Exception {
        run(false, (queue, taken) -> {
            AtomicBoolean on = new AtomicBoolean(true);
            List<CompletableFuture<Void>> takers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                takers.add(CompletableFuture.runAsync(
                        () -> {
                            while (on.get()) {
                                queue.popAsync(20, Duration.ofMillis(200))
                                        .join()
                                        .forEach(m -> taken.add(m.payload().asLong()));
                            }
                        },
                        command -> new Thread(command, "taker").start()));
            }
            return () -> {
                on.set(false);
                takers.forEach(CompletableFuture::join);
            };
        });
    }

    void reserve() throws Exception {
        run(true, (queue, taken) -> {
            var worker = jono.worker()
                    .concurrency(16)
                    .from(queue, (payload, delivery) -> taken.add(payload.asLong()))
                    .start();
            return () -> worker.stop(Duration.ofSeconds(20));
        });
    }

    /** Starts to take numbers with Jono. The returned object stops it. */
    private interface Consumer {
        Runnable start(MessageQueue<JsonNode> queue, List<Long> taken);
    }

    private void run(boolean reserve, Consumer here) throws Exception {
        int half = 2_500;
        // Polled, for keuss sends no signal within 50 ms of its last one.
        MessageQueue<JsonNode> queue = jono.queue(
                "qs",
                JsonNode.class,
                QueueOptions.builder().pollInterval(Duration.ofSeconds(1)).build());
        List<Long> taken = java.util.Collections.synchronizedList(new ArrayList<>());
        theirs.consume(16, reserve);
        Runnable stop = here.start(queue, taken);
        try {
            CompletableFuture<JsonNode> produced = producer.produce(1, half, 16);
            List<CompletableFuture<?>> pushed = new ArrayList<>();
            for (long i = half + 1L; i <= 2L * half; i++) {
                pushed.add(queue.pushAllAsync(List.of(Keuss.JSON.valueToTree(i)), PushOptions.none()));
                if (pushed.size() % 500 == 0) {
                    got(CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new)));
                }
            }
            got(CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new)));
            produced.get(100, TimeUnit.SECONDS); // keuss is slow, and shares the processor
            Awaitility.await("all to be taken")
                    .pollInterval(Duration.ofMillis(100))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> theirs.totalSize() == 0 && taken.size() + theirs.taken() >= 2L * half);
        } finally {
            stop.run();
        }
        JsonNode result = theirs.stop();
        assertThat(result.get("errors")).isEmpty();
        List<Long> all = new ArrayList<>(taken);
        int fromHere = all.size();
        result.get("taken").forEach(n -> all.add(n.asLong()));
        assertThat(fromHere).as("taken here").isPositive();
        assertThat(all.size() - fromHere).as("taken by keuss").isPositive();
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 2L * half).boxed().toList());
        assertThat(queue.counts().total()).isZero();
    }
}

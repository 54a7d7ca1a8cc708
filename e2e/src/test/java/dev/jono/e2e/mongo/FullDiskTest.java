package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.e2e.faults.SmallDisk;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that runs out of disk space. {@code mongod} refuses calls that need a new file, and exits if it cannot write
 * to its existing files. Callers get a clear exception. When the server is back with more space, all acknowledged
 * messages are there.
 */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullDiskTest {
    private static final Duration OPERATION = Duration.ofSeconds(2);
    private static final String NAME = "name";

    /** Fills a queue until a push fails. */
    private static final class Filling implements AutoCloseable {
        private final QueueFactory jono;
        private final MessageQueue<byte[]> queue;
        private final Random random = new Random(1);
        private final List<String> acknowledged = new ArrayList<>();
        private final Reservation<byte[]> held;
        private int begun;

        Filling(String url) throws InterruptedException {
            jono = QueueFactory.builder(url)
                    .queueDefaults(QueueOptions.builder()
                            .operationTimeout(OPERATION)
                            .lease(Duration.ofSeconds(20))
                            .pollInterval(Duration.ofSeconds(1))
                            .deadLetter(DeadLetter.never())
                            .build())
                    .connect();
            queue = jono.queue("orders", Codec.bytes());
            push();
            held = queue.reserve(Duration.ofSeconds(10)).orElseThrow();
        }

        /** Data that cannot be compressed. */
        private void push() {
            byte[] payload = new byte[900_000];
            random.nextBytes(payload);
            String name = "m" + begun++;
            queue.push(payload, PushOptions.none().header(NAME, name));
            acknowledged.add(name);
        }

        /** Returns the failure. */
        Throwable fill() {
            while (true) {
                Throwable failure = catchThrowable(this::push);
                if (failure != null) {
                    return failure;
                }
            }
        }

        void assertRefuses(CallThatFails call) {
            long begunNanos = System.nanoTime();
            Throwable failure = catchThrowable(call::run);
            assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(OPERATION.multipliedBy(2));
            assertClear(failure);
        }

        void assertClear(Throwable failure) {
            assertThat(failure).isInstanceOf(JonoException.class).hasMessageContaining("orders");
            assertThat(((JonoException) failure).queue()).isEqualTo("orders");
        }

        void assertAllIsThere() throws InterruptedException {
            Awaitility.await("the server again")
                    .ignoreExceptionsInstanceOf(JonoException.class)
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> {
                        push();
                        return true;
                    });
            held.ack();
            acknowledged.remove("m0");
            List<String> out = new ArrayList<>();
            Awaitility.await("all").atMost(Duration.ofSeconds(30)).until(() -> {
                queue.pop(20, Duration.ZERO)
                        .forEach(message ->
                                out.add(String.valueOf(message.headers().get(NAME))));
                return queue.totalSize() == 0;
            });
            assertThat(out).doesNotHaveDuplicates().containsAll(acknowledged);
            assertThat(out.size()).isLessThanOrEqualTo(begun);
        }

        @Override
        public void close() {
            jono.close();
        }
    }

    /** A call. */
    private interface CallThatFails {
        void run() throws Exception;
    }

    @Test
    void whatWasAcknowledgedIsThereWhenTheServerIsBackWithRoom() throws Exception {
        try (SmallDisk disk = SmallDisk.mount("420m");
                MongoReplicaSet set = MongoReplicaSet.start(
                        1,
                        MongoServer.builder()
                                .startedBy(disk.inside())
                                .option("dbpath", disk.folder().toString()))) {
            String options = "jono.timeout=1s";
            try (Filling single = new Filling(Urls.of("mongo", set.uri("one"), options));
                    Filling buckets = new Filling(Urls.of("bucket-mongo-safe", set.uri("two"), options))) {
                List<Filling> both = List.of(single, buckets);
                List<CompletableFuture<Throwable>> filled = both.stream()
                        .map(each -> CompletableFuture.supplyAsync(each::fill))
                        .toList();
                for (int i = 0; i < both.size(); i++) {
                    both.get(i).assertClear(filled.get(i).join());
                }
                for (Filling each : both) {
                    each.assertRefuses(each::push);
                    each.assertRefuses(() -> each.queue.pop(Duration.ZERO));
                    each.assertRefuses(() -> each.held.extend(Duration.ofSeconds(20)));
                }
                disk.resize("2g");
                MongoServer server = set.nodes().get(0);
                if (!server.isAlive()) {
                    server.restart();
                }
                for (Filling each : both) {
                    each.assertAllIsThere();
                }
            }
        }
    }
}

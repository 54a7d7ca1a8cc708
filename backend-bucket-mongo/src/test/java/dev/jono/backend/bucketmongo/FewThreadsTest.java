package dev.jono.backend.bucketmongo;

import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.Backend;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueStore;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Work that a claim offloads needs no free thread: all threads may run calls that offload work. */
class FewThreadsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int PART = 200;

    @Test
    void oneThreadIsEnough() throws Exception {
        String database = TestDatabases.newName();
        String url =
                TestDatabases.url("bucket-mongo-safe", MongoReplicaSet.sharedUri(database), "jono.one-database=true");
        ExecutorService one = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "the only one");
            thread.setDaemon(true);
            return thread;
        });
        try (Backend backend = Fixture.open(
                PluginConfigs.builder(url).namespace("N").executor(one).build())) {
            QueueStore orders = Fixture.orders(backend);
            for (int bucket = 0; bucket < 6; bucket++) {
                assertThat(orders.insert(inserting(IntStream.range(0, PART)
                                .mapToObj(i -> message("m" + i))
                                .toArray(NewMessage[]::new))))
                        .succeedsWithin(LIMIT);
            }
            // All calls are queued before the first one runs, so the work that it offloads is queued after them.
            CountDownLatch ready = new CountDownLatch(1);
            one.execute(() -> {
                try {
                    ready.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            List<CompletionStage<ClaimResult>> calls = Stream.of(
                            orders.claim(claiming(PART)),
                            orders.take(claiming(PART)),
                            orders.claim(claiming(PART)),
                            orders.take(claiming(PART)))
                    .toList();
            ready.countDown();
            for (CompletionStage<ClaimResult> call : calls) {
                assertThat(call)
                        .succeedsWithin(LIMIT)
                        .satisfies(result -> assertThat(result.messages()).hasSize(PART));
            }
        } finally {
            one.shutdownNow();
            TestDatabases.client().getDatabase(database).drop();
        }
    }
}

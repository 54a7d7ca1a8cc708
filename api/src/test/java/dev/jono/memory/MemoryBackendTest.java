package dev.jono.memory;

import static dev.jono.memory.TestQueue.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.Storage;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.Due;
import dev.jono.spi.HandClock;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBackendTest {
    private final HandClock clock = new HandClock();

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(BackendProvider.class))
                .extracting(BackendProvider::type)
                .contains("memory");
        assertThat(ServiceLoader.load(SignallerProvider.class))
                .extracting(SignallerProvider::type)
                .contains("local");
        assertThat(ServiceLoader.load(StatsProvider.class))
                .extracting(StatsProvider::type)
                .contains("mem");
        BackendProvider provider = new MemoryBackendProvider();
        assertThat(provider.defaultSignaller()).contains("local");
        assertThat(provider.defaultStats()).contains("mem");
    }

    @Test
    void hasAllCapabilitiesOfASingleProcess() {
        assertThat(TestQueue.open("memory:", clock).traits().capabilities())
                .isEqualTo(new MemoryBackendProvider().capabilities())
                .contains(Capability.SCHEDULE, Capability.ATOMIC_MOVE, Capability.HISTORY)
                .doesNotContain(Capability.SHARED, Capability.DURABLE);
    }

    @Test
    void sharesANamedStorageUntilTheLastUserClosesIt() {
        Backend first = TestQueue.open("memory:shared-1", clock);
        Backend second = TestQueue.open("memory:shared-1", clock);
        assertThat(second.storage()).isSameAs(first.storage());
        TestQueue.of(first, "q").push("a");
        first.close();
        first.close();
        assertThat(TestQueue.of(second, "q").contents()).containsExactly("a");
        Backend third = TestQueue.open("memory:shared-1", clock);
        second.close();
        assertThat(TestQueue.of(third, "q").contents()).containsExactly("a");
        third.close();
        try (Backend fresh = TestQueue.open("memory:shared-1", clock)) {
            assertThat(TestQueue.of(fresh, "q").contents()).isEmpty();
        }
    }

    @Test
    void separatesUnnamedAndDifferentlyNamedStorages() {
        List<Storage> storages = new ArrayList<>();
        for (String url : List.of("memory:", "memory:", "memory:a-1", "memory:b-1")) {
            try (Backend backend = TestQueue.open(url, clock)) {
                storages.add(backend.storage());
            }
        }
        assertThat(storages).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"memory://host", "memory:a b", "memory:x?y=1", "memory:?jono.ttl=1h", "memory:?jono.history=1"})
    void refusesInvalidLocationsAndOptions(String url) {
        assertThatExceptionOfType(ConfigurationException.class).isThrownBy(() -> TestQueue.open(url, clock));
    }

    @Test
    void refusesAStorageObject() {
        PluginConfig config = PluginConfig.builder()
                .url(ConnectionUrl.parse("memory:"))
                .executor(Runnable::run)
                .storage(new Storage() {})
                .build();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> new MemoryBackendProvider().open(config));
    }

    @Test
    void probesQueuesAndListsThoseThatEverHeldAMessage() {
        Backend backend = TestQueue.open("memory:", clock);
        TestQueue.of(backend, "opened");
        TestQueue.of(backend, "later").push("x", Due.in(50));
        TestQueue held = TestQueue.of(backend, "held");
        held.push("x");
        held.claimOne();
        TestQueue.of(backend, "empty").push("x");
        TestQueue.of(backend, "empty").take(1);
        TestQueue.of(backend, "b").push("x");
        assertThat(get(backend.queues())).containsExactly("b", "empty", "held", "later");
        assertThat(get(backend.probe(ProbeRequest.builder()
                                .queues(List.of("b", "held", "later", "opened", "unknown"))
                                .build()))
                        .nextMillis())
                .containsEntry("b", 0L)
                .containsEntry("held", TestQueue.LEASE_MILLIS)
                .containsEntry("later", 50L)
                .doesNotContainKeys("opened", "unknown");
    }

    @Test
    void failsCallsAfterClose() {
        Backend backend = TestQueue.open("memory:", clock);
        TestQueue queue = TestQueue.of(backend, "q");
        backend.close();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> queue.push("a"))
                .withCauseInstanceOf(StorageException.class);
        assertThat(backend.queues().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void handsEachMessageToOneOfManyConsumers() {
        Backend backend = TestQueue.open("memory:", clock);
        int perProducer = 20_000;
        int all = 4 * perProducer;
        Queue<String> consumed = new ConcurrentLinkedQueue<>();
        AtomicInteger left = new AtomicInteger(all);
        Runnable consumer = () -> {
            TestQueue queue = TestQueue.of(backend, "q");
            while (left.get() > 0) {
                List<StoredMessage> claimed = queue.claim(50);
                claimed.forEach(m -> consumed.add(m.payload().text()));
                claimed.forEach(queue::ack);
                left.addAndGet(-claimed.size());
            }
        };
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int p = 0; p < 4; p++) {
            String prefix = p + "-";
            running.add(inThread(consumer));
            running.add(inThread(() -> IntStream.range(0, perProducer / 20)
                    .forEach(i -> TestQueue.of(backend, "q")
                            .push(IntStream.range(20 * i, 20 * i + 20)
                                    .mapToObj(n -> prefix + n)
                                    .toArray(String[]::new)))));
        }
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
        assertThat(consumed).hasSize(all).doesNotHaveDuplicates();
        assertThat(TestQueue.of(backend, "q").numbers()).containsExactly(0L, 0L, 0L, 0L);
    }

    private static CompletableFuture<Void> inThread(Runnable task) {
        return CompletableFuture.runAsync(task, command -> new Thread(command).start());
    }
}

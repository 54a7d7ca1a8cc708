package dev.jono.benchmarks;

import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleRequest;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;

/** Calls a backend's SPI directly, without the engine, to measure what a storage call costs alone. */
final class BareStore implements AutoCloseable {
    private final Backend backend;
    private final QueueStore store;
    private long tokens;

    private BareStore(String url) {
        ConnectionUrl parsed = ConnectionUrl.parse(url);
        BackendProvider provider = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.type().equals(parsed.type()))
                .findFirst()
                .orElseThrow();
        this.backend = provider.open(
                PluginConfig.builder().url(parsed).executor(Runnable::run).build());
        this.store = backend.queue(QueueSpec.builder().name("bench").build());
    }

    static BareStore memory() {
        return new BareStore("memory:");
    }

    private String token() {
        return "bare-" + ++tokens;
    }

    /** Returns the median time of an insert, a claim and an ack, in microseconds. */
    double[] medians(int calls, EncodedPayload payload) {
        JonoClock clock = JonoClock.system();
        long[][] nanos = new long[3][calls];
        for (int i = 0; i < calls; i++) {
            long start = clock.nanos();
            store.insert(InsertRequest.builder()
                            .messages(List.of(
                                    NewMessage.builder().payload(payload).build()))
                            .token(token())
                            .build())
                    .toCompletableFuture()
                    .join();
            long inserted = clock.nanos();
            Receipt receipt = Objects.requireNonNull(store.claim(ClaimRequest.builder()
                            .max(1)
                            .leaseMillis(30_000)
                            .token(token())
                            .build())
                    .toCompletableFuture()
                    .join()
                    .messages()
                    .get(0)
                    .receipt());
            long claimed = clock.nanos();
            store.ack(SettleRequest.builder()
                            .receipts(List.of(receipt))
                            .token(token())
                            .build())
                    .toCompletableFuture()
                    .join();
            nanos[2][i] = clock.nanos() - claimed;
            nanos[1][i] = claimed - inserted;
            nanos[0][i] = inserted - start;
        }
        return MemoryRows.medians(nanos);
    }

    @Override
    public void close() {
        backend.close();
    }
}

package dev.jono.backend.bucketmongo;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A bare backend and its calls in short. */
final class Raw implements AutoCloseable {
    final Backend backend;
    final QueueStore store;

    /** The queue {@code orders} behind a URL. */
    Raw(String url) {
        this.backend = provider(url)
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse(url))
                        .executor(Runnable::run)
                        .build());
        this.store = queue("orders");
    }

    private static BackendProvider provider(String url) {
        return url.startsWith("bucket-mongo-safe:")
                ? new BucketMongoSafeBackendProvider()
                : new BucketMongoBackendProvider();
    }

    QueueStore queue(String name) {
        return backend.queue(QueueSpec.builder().name(name).build());
    }

    static <R> R got(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    static InsertRequest inserting(NewMessage... messages) {
        return InsertRequest.builder()
                .messages(List.of(messages))
                .token(UUID.randomUUID().toString())
                .build();
    }

    static NewMessage message(String text) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    @CanIgnoreReturnValue
    InsertResult insert(String text) {
        return insert(message(text));
    }

    @CanIgnoreReturnValue
    InsertResult insert(NewMessage message) {
        return got(store.insert(inserting(message)));
    }

    static ClaimRequest claiming(int max) {
        return ClaimRequest.builder()
                .max(max)
                .leaseMillis(30_000)
                .token(UUID.randomUUID().toString())
                .build();
    }

    ClaimResult claim(int max) {
        return got(store.claim(claiming(max)));
    }

    @CanIgnoreReturnValue
    List<String> take(int max) {
        return got(store.take(claiming(max))).messages().stream()
                .map(m -> m.payload().text())
                .toList();
    }

    static Receipt receipt(StoredMessage message) {
        return Objects.requireNonNull(message.receipt());
    }

    static SettleRequest acking(StoredMessage message) {
        return SettleRequest.builder()
                .receipts(List.of(receipt(message)))
                .token(UUID.randomUUID().toString())
                .build();
    }

    @Override
    public void close() {
        backend.close();
    }
}

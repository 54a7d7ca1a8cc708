package dev.jono.testkit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
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

/**
 * A backend without the engine, which would batch and repeat its calls, with short forms of the calls. The calls block
 * until the storage has answered, and throw the failure. Thread-safe, like the backend.
 */
public final class RawBackend implements AutoCloseable {
    private static final long LEASE_MILLIS = 30_000;

    private final Backend backend;
    private final QueueStore store;

    private RawBackend(Backend backend) {
        this.backend = backend;
        this.store = queue("orders");
    }

    /**
     * Opens the backend of a URL, with the queue {@code orders}.
     *
     * @throws IllegalStateException if no such backend is on the class path
     */
    public static RawBackend open(String url) {
        ConnectionUrl parsed = ConnectionUrl.parse(url);
        return new RawBackend(ContractSetup.provider(parsed.type())
                .open(PluginConfig.builder().url(parsed).executor(Runnable::run).build()));
    }

    /** The backend. */
    public Backend backend() {
        return backend;
    }

    /** The queue {@code orders}. */
    public QueueStore store() {
        return store;
    }

    /** The queue of this name. */
    public QueueStore queue(String name) {
        return backend.queue(QueueSpec.builder().name(name).build());
    }

    /** Waits for the result of a call, and throws the failure if it failed. */
    public static <R> R got(CompletionStage<R> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    /** A unique token for a call. */
    public static String token() {
        return UUID.randomUUID().toString();
    }

    /** A request to store these messages. */
    public static InsertRequest inserting(NewMessage... messages) {
        return InsertRequest.builder()
                .messages(List.of(messages))
                .token(token())
                .build();
    }

    /** A message with a text payload, due at once. */
    public static NewMessage message(String text) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    /** Stores texts in one request. Throws the failure if one was refused. */
    @CanIgnoreReturnValue
    public InsertResult insert(String... texts) {
        NewMessage[] messages = new NewMessage[texts.length];
        for (int i = 0; i < texts.length; i++) {
            messages[i] = message(texts[i]);
        }
        return insert(messages);
    }

    /** Stores messages in one request. Throws the failure if one was refused. */
    @CanIgnoreReturnValue
    public InsertResult insert(NewMessage... messages) {
        InsertResult result = got(store.insert(inserting(messages)));
        for (InsertResult.Item item : result.items()) {
            RuntimeException refusal = item.failure();
            if (refusal != null) {
                throw refusal;
            }
        }
        return result;
    }

    /** A request to claim up to this many messages, with a lease of 30 s. */
    public static ClaimRequest claiming(int max) {
        return ClaimRequest.builder()
                .max(max)
                .leaseMillis(LEASE_MILLIS)
                .token(token())
                .build();
    }

    /** Claims up to this many messages, with a lease of 30 s. */
    public ClaimResult claim(int max) {
        return got(store.claim(claiming(max)));
    }

    /** Takes up to this many messages, and returns their payloads. */
    @CanIgnoreReturnValue
    public List<String> take(int max) {
        return got(store.take(claiming(max))).messages().stream()
                .map(message -> message.payload().text())
                .toList();
    }

    /** The receipt of a claimed message. */
    public static Receipt receipt(StoredMessage message) {
        return Objects.requireNonNull(message.receipt());
    }

    /** A request to ack these messages. */
    public static SettleRequest acking(StoredMessage... messages) {
        return SettleRequest.builder()
                .receipts(List.of(messages).stream().map(RawBackend::receipt).toList())
                .token(token())
                .build();
    }

    @Override
    public void close() {
        backend.close();
    }
}

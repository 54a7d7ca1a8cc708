package dev.jono.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.StorageException;
import dev.jono.UndecodableException;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A storage may do a part of a list and refuse the rest: the engine's own calls go on with that rest, and only with it. */
class PartlyRefusedTest {
    private static final Codec<String> UNREADABLE = new Codec<>() {
        @Override
        public EncodedPayload encode(String payload, Headers headers) {
            return EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String decode(EncodedPayload payload, Headers headers) {
            throw new IllegalArgumentException("a test's");
        }
    };

    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    private static InsertResult refusedBehind(int stored, List<String> ids) {
        List<InsertResult.Item> items = new ArrayList<>();
        for (String id : ids) {
            items.add(
                    items.size() < stored
                            ? InsertResult.Item.stored(id)
                            : InsertResult.Item.failed(new StorageException("full", "orders", null, null)));
        }
        return InsertResult.builder().items(items).build();
    }

    @Test
    void refusedDeadLetterIsSentAgain() {
        QueueFactory jono = hooked.connect();
        QueueOptions strict =
                QueueOptions.builder().deadLetter(DeadLetter.after(1)).build();
        MessageQueue<String> orders = jono.queue("orders", UNREADABLE, strict);
        orders.push("a");
        AtomicInteger inserts = new AtomicInteger();
        hooked.on(
                "insert",
                (request, real) -> inserts.getAndIncrement() == 0
                        ? CompletableFuture.completedFuture(refusedBehind(0, List.of("it")))
                        : real.call());
        assertThatThrownBy(() -> orders.pop(Duration.ZERO)).isInstanceOf(UndecodableException.class);
        MessageQueue<String> dead = jono.queue("__deadletter__", Codec.string());
        await().until(() -> dead.totalSize() == 1);
        assertThat(inserts).hasValue(2);
    }

    @Test
    void whatIsBackIsNotPutBackOnceMore() {
        MessageQueue<String> orders = hooked.connect().queue("orders", Codec.string());
        orders.pushAll(List.of("a", "b", "c"));
        CompletableFuture<Object> reply = new CompletableFuture<>();
        hooked.on("take", (request, real) -> {
            Object done = real.call();
            return reply.thenCompose(go -> (CompletableFuture<?>) done);
        });
        List<List<String>> restored = new CopyOnWriteArrayList<>();
        hooked.on("restore", (request, real) -> {
            List<String> ids = ((RestoreRequest) request)
                    .messages().stream().map(StoredMessage::id).toList();
            restored.add(ids);
            return restored.size() == 1 ? CompletableFuture.completedFuture(refusedBehind(1, ids)) : real.call();
        });
        orders.popAsync(3, Duration.ofMinutes(1)).cancel(true);
        reply.complete("now");
        await().until(() -> orders.size() == 2);
        assertThat(restored.get(1)).isEqualTo(restored.get(0).subList(1, 3));
    }
}

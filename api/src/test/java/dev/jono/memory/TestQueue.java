package dev.jono.memory;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.RemoveOutcome;
import dev.jono.spi.Backend;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.HandClock;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the memory backend with short methods: payloads are text, each call has its own token, leases last 30 s.
 */
final class TestQueue {
    static final long LEASE_MILLIS = 30_000;

    private static final AtomicLong TOKENS = new AtomicLong();

    final QueueStore store;

    TestQueue(QueueStore store) {
        this.store = store;
    }

    static Backend open(String url, HandClock clock) {
        return new MemoryBackendProvider()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse(url))
                        .clock(clock)
                        .executor(Runnable::run)
                        .build());
    }

    static TestQueue of(Backend backend, String name) {
        return new TestQueue(backend.queue(QueueSpec.builder().name(name).build()));
    }

    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static String token() {
        return "token-" + TOKENS.incrementAndGet();
    }

    static EncodedPayload payload(String text) {
        return EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    static NewMessage message(String text, Due due) {
        return NewMessage.builder().payload(payload(text)).due(due).build();
    }

    static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(m -> m.payload().text()).toList();
    }

    static Receipt receipt(StoredMessage message) {
        return Objects.requireNonNull(message.receipt());
    }

    InsertResult insert(NewMessage... messages) {
        return get(store.insert(InsertRequest.builder()
                .messages(List.of(messages))
                .token(token())
                .build()));
    }

    List<String> push(String... texts) {
        NewMessage[] messages =
                Arrays.stream(texts).map(t -> message(t, Due.now())).toArray(NewMessage[]::new);
        return insert(messages).items().stream()
                .map(item -> Objects.requireNonNull(item.id()))
                .toList();
    }

    String push(String text, Due due) {
        return Objects.requireNonNull(insert(message(text, due)).items().get(0).id());
    }

    static ClaimRequest.Builder claiming(int max) {
        return ClaimRequest.builder().max(max).leaseMillis(LEASE_MILLIS).token(token());
    }

    ClaimResult claim(ClaimRequest.Builder request) {
        return get(store.claim(request.build()));
    }

    List<StoredMessage> claim(int max) {
        return claim(claiming(max)).messages();
    }

    StoredMessage claimOne() {
        return claim(1).get(0);
    }

    ClaimResult take(int max) {
        return get(store.take(claiming(max).build()));
    }

    InsertResult restore(StoredMessage... messages) {
        return get(store.restore(RestoreRequest.builder()
                .messages(List.of(messages))
                .token(token())
                .build()));
    }

    Outcome ack(StoredMessage message) {
        return get(store.ack(SettleRequest.builder()
                        .receipts(List.of(receipt(message)))
                        .token(token())
                        .build()))
                .outcomes()
                .get(0);
    }

    Outcome release(StoredMessage message, @Nullable Due due, boolean counted) {
        return get(store.release(ReleaseRequest.builder()
                        .items(List.of(ReleaseRequest.Item.of(receipt(message), due, counted)))
                        .token(token())
                        .build()))
                .outcomes()
                .get(0);
    }

    Outcome extend(StoredMessage message, long leaseMillis) {
        return get(store.extend(ExtendRequest.builder()
                        .receipts(List.of(receipt(message)))
                        .leaseMillis(leaseMillis)
                        .token(token())
                        .build()))
                .outcomes()
                .get(0);
    }

    Outcome move(StoredMessage message, String toQueue) {
        return move(
                MoveItem.builder().receipt(receipt(message)).toQueue(toQueue).build());
    }

    Outcome move(MoveItem item) {
        return get(store.move(MoveRequest.builder()
                        .items(List.of(item))
                        .token(token())
                        .build()))
                .outcomes()
                .get(0);
    }

    List<RemoveOutcome> remove(String... ids) {
        return get(store.remove(
                        RemoveRequest.builder().ids(List.of(ids)).token(token()).build()))
                .outcomes();
    }

    List<StoredMessage> browse(BrowseRequest.Builder request) {
        return get(store.browse(request.build())).messages();
    }

    List<String> contents() {
        return texts(browse(BrowseRequest.builder()));
    }

    List<StoredMessage> history() {
        return browse(BrowseRequest.builder().view(BrowseRequest.View.HISTORY));
    }

    CountsResult counts() {
        return get(store.counts(CountsRequest.builder().history(true).build()));
    }

    /** Ready, scheduled, reserved, history. */
    List<Long> numbers() {
        CountsResult counts = counts();
        return List.of(counts.ready(), counts.scheduled(), counts.reserved(), counts.history());
    }
}

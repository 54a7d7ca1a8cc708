package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * The base of the tests of the SPI without the engine: an empty storage, a store on it, and short forms of its calls.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class StoreCase {
    private final Supplier<ContractSetup> opener;
    private @Nullable ContractSetup setup;
    private @Nullable Backend backend;

    StoreCase(Supplier<ContractSetup> opener) {
        this.opener = opener;
    }

    @BeforeEach
    final void openBackend() {
        setup = opener.get();
        backend = setup.openBackend();
    }

    @AfterEach
    final void closeBackend() {
        if (backend != null) {
            backend.close();
            backend.close();
        }
        storage().close();
    }

    final ContractSetup storage() {
        return Objects.requireNonNull(setup, "no storage yet");
    }

    final Backend backend() {
        return Objects.requireNonNull(backend, "no backend yet");
    }

    final void requires(Capability... needed) {
        for (Capability capability : needed) {
            assumeTrue(storage().capabilities().contains(capability), () -> "the backend declares no " + capability);
        }
    }

    final void requiresRepeatable() {
        assumeTrue(
                backend().traits().repeatable(),
                "the backend does not recognize a repeated call (traits().repeatable())");
    }

    final QueueStore store() {
        return store("orders");
    }

    final QueueStore store(String name) {
        return backend().queue(QueueSpec.builder().name(name).build());
    }

    final Duration seconds(double number) {
        return storage().seconds(number);
    }

    /**
     * The longest wait that a backend may report for a time that is this many seconds away. A backend that estimates
     * its storage's clock may report a longer wait: the estimate depends on the delay of the first replies.
     */
    final long mostMillis(double seconds) {
        return seconds(storage().clock().isPresent() ? seconds : seconds + 1).toMillis();
    }

    final void pass(Duration duration) {
        storage().pass(duration);
    }

    /** A unique token for a call. */
    static String token() {
        return UUID.randomUUID().toString();
    }

    /** Waits for the result of a stage, and throws the failure if it failed. Checks a reported number of messages. */
    static <R> R got(CompletionStage<R> stage) {
        try {
            R result = stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
            if (result instanceof ClaimResult found) {
                assertThat(found.messages()).hasSize(found.size());
            }
            return result;
        } catch (ExecutionException e) {
            Throwable cause =
                    e.getCause() instanceof CompletionException c && c.getCause() != null ? c.getCause() : e.getCause();
            if (cause instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("the stage failed with a checked exception", cause);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("the stage did not complete", e);
        }
    }

    // ---- requests and calls, in short -------------------------------------------------------------------------

    static EncodedPayload text(String text) {
        return EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    static NewMessage.Builder message(String payload) {
        return NewMessage.builder().payload(text(payload));
    }

    static InsertRequest inserting(NewMessage... messages) {
        return InsertRequest.builder()
                .messages(List.of(messages))
                .token(token())
                .build();
    }

    static List<String> insert(QueueStore store, String... payloads) {
        return ids(got(store.insert(
                inserting(Arrays.stream(payloads).map(p -> message(p).build()).toArray(NewMessage[]::new)))));
    }

    static String insertDue(QueueStore store, String payload, Due due) {
        return ids(got(store.insert(inserting(message(payload).due(due).build()))))
                .get(0);
    }

    static List<String> ids(InsertResult result) {
        return result.items().stream()
                .map(item -> {
                    assertThat(item.failure()).as("refusal of a message").isNull();
                    return Objects.requireNonNull(item.id(), "a stored message has an id");
                })
                .toList();
    }

    final ClaimRequest.Builder claiming(int max) {
        return ClaimRequest.builder()
                .max(max)
                .leaseMillis(seconds(10).toMillis())
                .token(token());
    }

    final List<StoredMessage> claim(QueueStore store, int max) {
        return got(store.claim(claiming(max).build())).messages();
    }

    final List<StoredMessage> claim(QueueStore store, int max, Duration lease) {
        return got(store.claim(claiming(max).leaseMillis(lease.toMillis()).build()))
                .messages();
    }

    /** Claims the only message, which must be there. */
    final StoredMessage claimOne(QueueStore store) {
        List<StoredMessage> found = claim(store, 1);
        assertThat(found).as("a message to claim").hasSize(1);
        return found.get(0);
    }

    /**
     * Asserts that the largest batch passes. One call may return fewer messages, at the boundary of a bucket for
     * example.
     */
    void assertLargestBatchPasses(IntFunction<List<StoredMessage>> taker) {
        int batch = backend().traits().maxBatch();
        String[] all = IntStream.range(0, batch).mapToObj(i -> "m" + i).toArray(String[]::new);
        // A storage may need one call before it hands out full batches.
        insert(store(), "first");
        assertThat(taker.apply(1)).hasSize(1);
        insert(store(), all);
        List<StoredMessage> taken = new ArrayList<>(taker.apply(batch));
        assertThat(taken).hasSizeBetween(batch / 4, batch);
        while (taken.size() < batch) {
            assertThat(taken.addAll(taker.apply(batch - taken.size()))).isTrue();
        }
        assertThat(texts(taken)).containsExactly(all);
    }

    static ClaimResult take(QueueStore store, int max) {
        return got(store.take(ClaimRequest.builder().max(max).token(token()).build()));
    }

    static List<Outcome> ack(QueueStore store, Receipt... receipts) {
        return got(store.ack(acking(receipts))).outcomes();
    }

    static SettleRequest acking(Receipt... receipts) {
        return SettleRequest.builder()
                .receipts(List.of(receipts))
                .token(token())
                .build();
    }

    static ReleaseRequest releasing(ReleaseRequest.Item... items) {
        return ReleaseRequest.builder().items(List.of(items)).token(token()).build();
    }

    static List<Outcome> release(QueueStore store, Receipt receipt, @Nullable Due due, boolean counted) {
        return got(store.release(releasing(ReleaseRequest.Item.of(receipt, due, counted))))
                .outcomes();
    }

    static ExtendRequest extending(Duration lease, Receipt... receipts) {
        return ExtendRequest.builder()
                .receipts(List.of(receipts))
                .leaseMillis(lease.toMillis())
                .token(token())
                .build();
    }

    static MoveRequest moving(MoveItem... items) {
        return MoveRequest.builder().items(List.of(items)).token(token()).build();
    }

    static MoveItem moveTo(Receipt receipt, String queue) {
        return MoveItem.builder().receipt(receipt).toQueue(queue).build();
    }

    static RestoreRequest restoring(List<StoredMessage> messages) {
        return RestoreRequest.builder().messages(messages).token(token()).build();
    }

    static List<StoredMessage> browse(QueueStore store, UnaryOperator<BrowseRequest.Builder> what) {
        return got(store.browse(what.apply(BrowseRequest.builder()).build())).messages();
    }

    static CountsResult counts(QueueStore store) {
        return got(store.counts(CountsRequest.builder().build()));
    }

    static void assertCounts(QueueStore store, long ready, long scheduled, long reserved) {
        CountsResult counts = counts(store);
        assertThat(List.of(counts.ready(), counts.scheduled(), counts.reserved()))
                .as("ready, scheduled and reserved")
                .containsExactly(ready, scheduled, reserved);
    }

    static Receipt receipt(StoredMessage message) {
        return Objects.requireNonNull(message.receipt(), "claimed messages have a receipt");
    }

    static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(m -> m.payload().text()).toList();
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.PayloadKind;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.spi.InsertRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * A list is not a transaction: each item has its own result, and an item of one caller never fails an item of another.
 */
abstract class ListRules extends ContractCase {
    ListRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private MessageQueue<String> limited() {
        return orders(jono(), QueueOptions.builder().maxPayloadBytes(100).build());
    }

    /** A codec that fails on certain payloads. */
    private static final Codec<String> TOUCHY = new Codec<>() {
        @Override
        public EncodedPayload encode(String payload, Headers headers) {
            if (payload.startsWith("broken")) {
                throw new IllegalStateException("cannot encode " + payload);
            }
            return EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String decode(EncodedPayload payload, Headers headers) {
            return payload.text();
        }
    };

    @Test
    void oversizedPayloadInAListFailsAlone() throws Exception {
        MessageQueue<String> queue = limited();
        List<String> list = List.of("a", "x".repeat(101), "b");
        PartialFailureException failure =
                catchThrowableOfType(PartialFailureException.class, () -> queue.pushAll(list));
        assertThat(failure).isNotNull();
        assertThat(failure.queue()).isEqualTo("orders");
        assertThat(failure.results()).hasSize(3);
        assertThat(failure.results().get(0).failure()).isNull();
        assertThat(failure.results().get(0).id()).isNotNull();
        assertThat(failure.results().get(1).failure()).isInstanceOf(PayloadTooLargeException.class);
        assertThat(failure.results().get(1).id()).isNull();
        assertThat(failure.results().get(2).failure()).isNull();
        assertThat(failure)
                .hasMessageContaining("push of 3 items on queue 'orders': 1 failed, the others are done; first:")
                .hasMessageContaining("payload of 101 bytes for queue 'orders' is over the limit of 100 bytes");
        assertThat(popAll(queue)).containsExactly("a", "b");
    }

    @Test
    void oversizedPayloadInAnAsyncListFailsAlone() {
        MessageQueue<String> queue = limited();
        CompletableFuture<List<PushResult>> push =
                track(queue.pushAllAsync(List.of("a", "x".repeat(101)), PushOptions.none()));
        assertThatThrownBy(push::join).hasCauseInstanceOf(PartialFailureException.class);
        assertThat(queue.totalSize()).isEqualTo(1);
    }

    @Test
    void payloadThatCannotBeEncodedFailsAlone() throws Exception {
        MessageQueue<String> queue = jono().queue("orders", TOUCHY);
        PartialFailureException failure =
                catchThrowableOfType(PartialFailureException.class, () -> queue.pushAll(List.of("a", "broken", "b")));
        assertThat(failure).isNotNull();
        assertThat(failure.results().get(1).failure())
                .isInstanceOf(EncodingException.class)
                .hasMessageContaining("push to queue 'orders'")
                .hasMessageContaining("cannot encode broken");
        assertThat(failure).hasMessageContaining("1 failed, the others are done");
        assertThat(popAll(queue)).containsExactly("a", "b");
    }

    @Test
    void brokenMessageOfOneCallerNeverFailsAnothers() {
        MessageQueue<String> queue = jono().queue(
                        "orders",
                        TOUCHY,
                        QueueOptions.builder().maxPayloadBytes(100).build());
        List<CompletableFuture<PushResult>> good = new ArrayList<>();
        List<CompletableFuture<PushResult>> bad = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            good.add(track(queue.pushAsync("good" + i)));
            bad.add(track(queue.pushAsync(i % 2 == 0 ? "broken" + i : "x".repeat(101))));
        }
        good.forEach(CompletableFuture::join);
        bad.forEach(b -> assertThatThrownBy(b::join)
                .satisfies(f -> assertThat(f.getCause())
                        .isInstanceOfAny(EncodingException.class, PayloadTooLargeException.class)));
        assertThat(queue.totalSize()).isEqualTo(100);
    }

    @Test
    void batchThatTheStorageRefusesIsRepeatedCallerByCaller() throws Exception {
        Faults faults = new Faults();
        MessageQueue<String> queue = orders(client(faults));
        faults.hold(Call.INSERT);
        CompletableFuture<PushResult> first = track(queue.pushAsync("first"));
        awaitReal("the first call to be in flight", () -> faults.held(Call.INSERT) > 0);
        // These wait for the first call, and share the next one.
        CompletableFuture<PushResult> a = track(queue.pushAsync("a"));
        CompletableFuture<PushResult> bad = track(queue.pushAsync("refuse me"));
        CompletableFuture<PushResult> b = track(queue.pushAsync("b"));
        faults.refuse(
                Call.INSERT,
                request -> ((InsertRequest) request)
                        .messages().stream().anyMatch(m -> m.payload().text().equals("refuse me")));
        faults.release(Call.INSERT);
        first.join();
        a.join();
        b.join();
        assertThatThrownBy(bad::join).hasCauseInstanceOf(StorageException.class);
        assertThat(popAll(queue)).containsExactly("first", "a", "b");
    }

    @Test
    void listWithANullIsRefusedAsAWhole() {
        MessageQueue<String> queue = orders();
        List<String> list = new ArrayList<>(List.of("a", "b"));
        list.add(1, Unchecked.nullOf());
        String says = "payload 1 of the list for queue 'orders' is null; nothing was stored";
        assertThatThrownBy(() -> queue.pushAll(list))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(says);
        assertThatThrownBy(() -> queue.pushAllAsync(list, PushOptions.none()).join())
                .isInstanceOf(NullPointerException.class)
                .hasMessage(says);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void listOfReservationsWithANullOrAStrangerIsRefusedAndNoneIsAcked() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        MessageQueue<String> other = queue("other");
        queue.push("a");
        other.push("b");
        Reservation<String> held = reserved(queue);
        Reservation<String> stranger = reserved(other);
        List<Reservation<String>> list = new ArrayList<>(List.of(held));
        list.add(Unchecked.nullOf());
        assertThatThrownBy(() -> queue.ackAll(list))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("a reservation of the list for queue 'orders' is null; nothing was acked");
        assertThatThrownBy(() -> queue.ackAll(List.of(held, stranger)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("message " + stranger.id() + " is reserved from queue 'other', not from 'orders'")
                .hasMessageContaining("nothing was acked");
        // Neither is settled, so close() gives both back.
        assertThat(held.isSettled()).isFalse();
        held.close();
        stranger.close();
        assertThat(popAll(queue)).containsExactly("a");
        assertThat(popAll(other)).containsExactly("b");
    }

    @Test
    void emptyListsAreFine() throws Exception {
        MessageQueue<String> queue = orders();
        assertThat(queue.pushAll(List.of())).isEmpty();
        assertThat(track(queue.pushAllAsync(List.of(), PushOptions.none())).join())
                .isEmpty();
        queue.ackAll(List.of());
        assertThat(queue.pop(Duration.ZERO)).isEmpty();
    }
}

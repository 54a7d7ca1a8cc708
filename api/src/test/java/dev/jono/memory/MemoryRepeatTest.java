package dev.jono.memory;

import static dev.jono.memory.TestQueue.claiming;
import static dev.jono.memory.TestQueue.get;
import static dev.jono.memory.TestQueue.receipt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.HandClock;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class MemoryRepeatTest {
    private final Backend backend = TestQueue.open("memory:?jono.history=1h", new HandClock());
    private final TestQueue queue = TestQueue.of(backend, "q");
    private final TestQueue other = TestQueue.of(backend, "other");

    /** Calls twice with one request, through two stores, and asserts that the second call changes nothing. */
    private <Q, R> R twice(Q request, Function<TestQueue, Function<Q, CompletionStage<R>>> call) {
        R first = get(call.apply(queue).apply(request));
        List<Long> numbers = queue.numbers();
        List<String> contents = queue.contents();
        R second = get(call.apply(TestQueue.of(backend, "q")).apply(request));
        assertThat(second).usingRecursiveComparison().isEqualTo(first);
        assertThat(queue.numbers()).isEqualTo(numbers);
        assertThat(queue.contents()).isEqualTo(contents);
        return first;
    }

    @Test
    void storesARepeatedInsertOnceEvenIfTheFirstCopyIsConsumed() {
        InsertRequest request = InsertRequest.builder()
                .messages(List.of(TestQueue.message("a", Due.now())))
                .token("t")
                .build();
        twice(request, q -> q.store::insert);
        assertThat(queue.take(5).messages()).hasSize(1);
        twice(request, q -> q.store::insert);
        assertThat(queue.take(5).messages()).isEmpty();
    }

    @Test
    void repeatsTheResultOfTakesAndClaims() {
        queue.push("a", "b", "c");
        ClaimRequest request = claiming(1).build();
        StoredMessage claimed = twice(request, q -> q.store::claim).messages().get(0);
        assertThat(queue.ack(claimed)).isEqualTo(Outcome.DONE);
        twice(claiming(1).build(), q -> q.store::take);
        assertThat(queue.contents()).containsExactly("c");
    }

    @Test
    void settlesOnce() {
        queue.push("a", "b", "c", "d", "e");
        List<StoredMessage> held = queue.claim(5);
        Receipt first = receipt(held.get(0));
        twice(SettleRequest.builder().receipts(List.of(first)).token("t").build(), q -> q.store::ack);
        ReleaseRequest.Item back = ReleaseRequest.Item.of(receipt(held.get(1)), null, true);
        twice(ReleaseRequest.builder().items(List.of(back)).token("t").build(), q -> q.store::release);
        twice(
                ExtendRequest.builder()
                        .receipts(List.of(receipt(held.get(2))))
                        .leaseMillis(5)
                        .token("t")
                        .build(),
                q -> q.store::extend);
        MoveItem away = MoveItem.builder()
                .receipt(receipt(held.get(3)))
                .toQueue("other")
                .build();
        twice(MoveRequest.builder().items(List.of(away)).token("t").build(), q -> q.store::move);
        assertThat(other.contents()).containsExactly("d");
    }

    @Test
    void removesAndRestoresOnce() {
        List<String> ids = queue.push("a", "b");
        twice(RemoveRequest.builder().ids(ids.subList(0, 1)).token("t").build(), q -> q.store::remove);
        List<StoredMessage> taken = queue.take(1).messages();
        RestoreRequest request =
                RestoreRequest.builder().messages(taken).token("t").build();
        twice(request, q -> q.store::restore);
        queue.take(1);
        twice(request, q -> q.store::restore);
        assertThat(queue.contents()).isEmpty();
    }

    @Test
    void separatesTokensByQueue() {
        InsertRequest request = InsertRequest.builder()
                .messages(List.of(TestQueue.message("a", Due.now())))
                .token("t")
                .build();
        get(queue.store.insert(request));
        get(other.store.insert(request));
        assertThat(other.contents()).containsExactly("a");
    }
}

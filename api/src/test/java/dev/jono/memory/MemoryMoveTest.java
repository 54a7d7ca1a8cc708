package dev.jono.memory;

import static dev.jono.memory.TestQueue.receipt;
import static dev.jono.memory.TestQueue.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Headers;
import dev.jono.spi.Backend;
import dev.jono.spi.Due;
import dev.jono.spi.HandClock;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemoryMoveTest {
    private final Backend backend = TestQueue.open("memory:", new HandClock());
    private final TestQueue from = TestQueue.of(backend, "from");
    private final TestQueue to = TestQueue.of(backend, "to");

    @Test
    void keepsTheIdAndAppliesTheChanges() {
        from.insert(NewMessage.builder()
                .payload(TestQueue.payload("old"))
                .headers(Headers.empty().with("keep", 1).with("drop", 2).with("set", 3))
                .build());
        StoredMessage held = from.claimOne();
        assertThat(from.move(MoveItem.builder()
                        .receipt(receipt(held))
                        .toQueue("to")
                        .payload(TestQueue.payload("new"))
                        .tries(7)
                        .dropHeaders(Set.of("drop"))
                        .addHeaders(Headers.empty().with("set", "x"))
                        .build()))
                .isEqualTo(Outcome.DONE);
        assertThat(from.contents()).isEmpty();
        assertThat(from.ack(held)).isEqualTo(Outcome.GONE);
        StoredMessage moved = to.claimOne();
        assertThat(moved.id()).isEqualTo(held.id());
        assertThat(moved.payload().text()).isEqualTo("new");
        assertThat(moved.tries()).isEqualTo(7);
        assertThat(moved.headers()).isEqualTo(Headers.empty().with("keep", 1).with("set", "x"));
    }

    @Test
    void aMovedMessageGetsItsPositionByDueTime() {
        from.push("a", "b");
        to.push("c");
        List<StoredMessage> held = from.claim(2);
        from.move(held.get(1), "to");
        from.move(MoveItem.builder()
                .receipt(receipt(held.get(0)))
                .toQueue("to")
                .due(Due.in(10))
                .build());
        assertThat(to.contents()).containsExactly("c", "b", "a");
        assertThat(to.numbers()).containsExactly(2L, 1L, 0L, 0L);
    }

    @Test
    void movesIntoItsOwnQueue() {
        from.push("a", "b");
        StoredMessage held = from.claimOne();
        assertThat(from.move(held, "from")).isEqualTo(Outcome.DONE);
        assertThat(from.ack(held)).isEqualTo(Outcome.STALE);
        assertThat(texts(from.take(2).messages())).containsExactly("b", "a");
    }

    @Test
    void restoresAMovedMessageToItsPositionInTheNewQueue() {
        from.push("a");
        to.push("b");
        from.move(from.claimOne(), "to");
        to.push("c");
        List<StoredMessage> taken = to.take(2).messages();
        to.restore(taken.get(1));
        to.restore(taken.get(0));
        assertThat(to.contents()).containsExactly("b", "a", "c");
    }

    @Test
    void keepsALiveMessageOfTheSameIdInTheTarget() {
        String id = from.push("a").get(0);
        to.insert(NewMessage.builder()
                .id(id)
                .payload(TestQueue.payload("already"))
                .build());
        assertThat(from.move(from.claimOne(), "to")).isEqualTo(Outcome.DONE);
        assertThat(from.contents()).isEmpty();
        assertThat(to.contents()).containsExactly("already");
    }

    @Test
    void movesInOppositeDirectionsWithoutDeadlock() {
        int rounds = 2000;
        from.push("a", "b");
        to.push("c", "d");
        CompletableFuture<Void> forward = CompletableFuture.runAsync(() -> shuttle(from, "to", rounds));
        CompletableFuture<Void> backward = CompletableFuture.runAsync(() -> shuttle(to, "from", rounds));
        CompletableFuture.allOf(forward, backward).join();
        assertThat(from.contents().size() + to.contents().size()).isEqualTo(4);
    }

    private static void shuttle(TestQueue queue, String target, int rounds) {
        for (int i = 0; i < rounds; i++) {
            List<MoveItem> items = queue.claim(2).stream()
                    .map(m -> MoveItem.builder()
                            .receipt(receipt(m))
                            .toQueue(target)
                            .build())
                    .toList();
            assertThat(TestQueue.get(queue.store.move(MoveRequest.builder()
                                    .items(items)
                                    .token(TestQueue.token())
                                    .build()))
                            .outcomes())
                    .allMatch(Outcome.DONE::equals);
        }
    }
}

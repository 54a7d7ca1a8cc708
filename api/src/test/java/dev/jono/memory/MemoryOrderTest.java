package dev.jono.memory;

import static dev.jono.memory.TestQueue.texts;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.RemoveOutcome;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.HandClock;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryOrderTest {
    private final HandClock clock = new HandClock();
    private final TestQueue queue = TestQueue.of(TestQueue.open("memory:", clock), "q");

    @Test
    void handsOutByDueTimeThenByInsertion() {
        queue.push("later", Due.in(20));
        queue.push("b", "c");
        queue.push("first", Due.atMillis(5));
        queue.push("sooner", Due.in(10));
        queue.push("later too", Due.in(20));
        assertThat(texts(queue.take(10).messages())).containsExactly("first", "b", "c");
        clock.advance(ofMillis(20));
        queue.push("last");
        assertThat(texts(queue.claim(10))).containsExactly("sooner", "later", "later too", "last");
    }

    @Test
    void returnsNothingEarlyButTheTimeUntilTheNextMessage() {
        queue.push("x", Due.in(10));
        ClaimResult early = queue.take(1);
        assertThat(early.messages()).isEmpty();
        assertThat(early.nextMillis()).isEqualTo(10);
        assertThat(early.storageMillis()).isEqualTo(clock.wallMillis());
        clock.advance(ofMillis(9));
        assertThat(queue.claim(TestQueue.claiming(1)).nextMillis()).isEqualTo(1);
        clock.advance(ofMillis(1));
        assertThat(texts(queue.take(1).messages())).containsExactly("x");
        assertThat(queue.take(1).nextMillis()).isEqualTo(ClaimResult.NONE);
    }

    @Test
    void nextMillisIncludesTheEndOfALease() {
        queue.push("held", "free");
        assertThat(queue.claim(TestQueue.claiming(1)).nextMillis()).isZero();
        assertThat(queue.take(1).nextMillis()).isEqualTo(TestQueue.LEASE_MILLIS);
        queue.push("soon", Due.in(100));
        assertThat(queue.take(1).nextMillis()).isEqualTo(100);
        assertThat(queue.counts().nextMillis()).isEqualTo(100);
    }

    @Test
    void storageTimeDoesNotGoBackWithTheHostClock() {
        queue.push("x", Due.in(1000));
        clock.setWall(ofHours(-1));
        assertThat(queue.take(1).nextMillis()).isEqualTo(1000);
        clock.advance(ofSeconds(1));
        queue.push("y");
        assertThat(texts(queue.take(2).messages())).containsExactly("x", "y");
    }

    @Test
    void restoresTakenMessagesToTheirOldPosition() {
        queue.push("a", "b", "c", "d");
        List<StoredMessage> taken = queue.take(3).messages();
        assertThat(queue.contents()).containsExactly("d");
        queue.restore(taken.get(2), taken.get(0));
        queue.restore(taken.get(1).with(taken.get(1).dueMillis(), 4));
        List<StoredMessage> again = queue.take(4).messages();
        assertThat(texts(again)).containsExactly("a", "b", "c", "d");
        assertThat(again).extracting(StoredMessage::tries).containsExactly(0, 4, 0, 0);
        assertThat(again.get(0).pushedMillis()).isEqualTo(taken.get(0).pushedMillis());
    }

    @Test
    void restoresMessagesWithForeignIdsToTheirOldPosition() {
        queue.insert(
                NewMessage.builder().id("z").payload(TestQueue.payload("a")).build(),
                NewMessage.builder().id("y").payload(TestQueue.payload("b")).build());
        StoredMessage first = queue.take(1).messages().get(0);
        queue.restore(first);
        assertThat(queue.contents()).containsExactly("a", "b");
    }

    @Test
    void restoresWithAnotherDueTime() {
        queue.push("a");
        StoredMessage taken = queue.take(1).messages().get(0);
        queue.restore(taken.with(clock.wallMillis() + 50, 1));
        assertThat(queue.take(1).nextMillis()).isEqualTo(50);
        assertThat(queue.numbers()).containsExactly(0L, 1L, 0L, 0L);
    }

    @Test
    void keepsALiveMessageOfTheSameId() {
        queue.push("a");
        StoredMessage taken = queue.take(1).messages().get(0);
        queue.restore(taken);
        queue.claimOne();
        InsertResult.Item restored = queue.restore(taken.with(0, 9)).items().get(0);
        InsertResult.Item inserted = queue.insert(NewMessage.builder()
                        .id(taken.id())
                        .payload(TestQueue.payload("other"))
                        .build())
                .items()
                .get(0);
        assertThat(List.of(restored, inserted)).allSatisfy(item -> {
            assertThat(item.duplicate()).isTrue();
            assertThat(item.id()).isEqualTo(taken.id());
        });
        assertThat(queue.numbers()).containsExactly(0L, 0L, 1L, 0L);
        assertThat(queue.contents()).containsExactly("a");
    }

    @Test
    void sharesPayloadArraysAndKeepsInitialTries() {
        NewMessage message =
                NewMessage.builder().payload(TestQueue.payload("a")).tries(3).build();
        queue.insert(message);
        StoredMessage taken = queue.take(1).messages().get(0);
        assertThat(taken.payload().bytes()).isSameAs(message.payload().bytes());
        assertThat(taken.tries()).isEqualTo(3);
    }

    @Test
    void countsAllStates() {
        assertThat(queue.counts().nextMillis()).isEqualTo(ClaimResult.NONE);
        assertThat(queue.counts().oldestReadyMillis()).isEmpty();
        long start = clock.wallMillis();
        queue.push("a", "b", "c");
        queue.push("d", Due.in(500));
        queue.claimOne();
        clock.advance(ofMillis(100));
        CountsResult counts = queue.counts();
        assertThat(queue.numbers()).containsExactly(2L, 1L, 1L, 0L);
        assertThat(counts.nextMillis()).isZero();
        assertThat(counts.oldestReadyMillis()).hasValue(start);
        assertThat(counts.storageMillis()).isEqualTo(start + 100);
        clock.advance(ofHours(1));
        assertThat(queue.numbers()).as("messages whose lease ended are ready").containsExactly(4L, 0L, 0L, 0L);
    }

    @Test
    void removesAndPurgesOnlyUnreservedMessages() {
        List<String> ids = queue.push("held", "b", "c");
        String scheduled = queue.push("later", Due.in(1000));
        queue.claimOne();
        assertThat(queue.remove(ids.get(0), ids.get(1), scheduled, "nope", ids.get(1)))
                .containsExactly(
                        RemoveOutcome.HELD,
                        RemoveOutcome.REMOVED,
                        RemoveOutcome.REMOVED,
                        RemoveOutcome.ABSENT,
                        RemoveOutcome.ABSENT);
        queue.push("later", Due.in(1000));
        assertThat(TestQueue.get(queue.store.purge())).isEqualTo(2);
        assertThat(queue.contents()).containsExactly("held");
        clock.advance(ofHours(1));
        assertThat(queue.remove(ids.get(0))).as("its lease has ended").containsExactly(RemoveOutcome.REMOVED);
    }
}

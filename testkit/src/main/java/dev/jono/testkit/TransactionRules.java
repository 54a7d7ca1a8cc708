package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OtherStorageException;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.Tx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A push in a transaction of the application is stored when it commits, and never when it is rolled back. */
abstract class TransactionRules extends ContractCase {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    TransactionRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    final void requireTransactions() {
        requires(Capability.TRANSACTION);
    }

    private QueueFactory joining() {
        return connect(storage().joiningClient());
    }

    private TestTransactions.Open begin() {
        return storage().transactions().begin();
    }

    @Test
    void messageIsThereWhenTheTransactionHasCommitted() throws Exception {
        MessageQueue<String> queue = orders(joining());
        MessageQueue<String> other = orders(client());
        try (TestTransactions.Open open = begin()) {
            PushResult pushed = queue.push(
                    "a", PushOptions.none().header("tenant", "acme").tries(3).in(open.tx()));
            assertThat(pushed.duplicate()).isFalse();
            assertThat(other.totalSize()).as("messages before the commit").isZero();
            open.commit();
            open.tx().committed();
            Reservation<String> held = reserved(other);
            assertThat(held.payload()).isEqualTo("a");
            assertThat(held.id()).isEqualTo(pushed.id());
            assertThat(held.headers().string("tenant")).isEqualTo("acme");
            assertThat(held.tries()).isEqualTo(3);
            held.ack();
        }
    }

    @Test
    void rollbackLeavesNothing() throws Exception {
        MessageQueue<String> queue = orders(joining());
        PushOptions options = PushOptions.none();
        if (declared(Capability.DEDUPLICATE)) {
            options = options.unique("order-7", A_MINUTE);
        }
        try (TestTransactions.Open open = begin()) {
            queue.push("a", options.in(open.tx()));
            open.rollback();
            open.tx().rolledBack();
        }
        assertThat(queue.totalSize()).isZero();
        assertThat(queue.push("b", options).duplicate()).isFalse();
        assertThat(popAll(queue)).containsExactly("b");
        assertThat(queue.stats().pushed()).as("pushes that are counted").isEqualTo(1);
    }

    @Test
    void endWithoutACommitLeavesNothing() {
        MessageQueue<String> queue = orders(joining());
        try (TestTransactions.Open open = begin()) {
            queue.push("a", PushOptions.none().in(open.tx()));
        }
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void waitingConsumerIsWokenByTheCommit() {
        MessageQueue<String> queue = orders(joining());
        MessageQueue<String> other = orders(client());
        try (TestTransactions.Open open = begin()) {
            CompletableFuture<Optional<Reservation<String>>> here = track(queue.reserveAsync(A_MINUTE));
            CompletableFuture<Optional<Reservation<String>>> there = track(other.reserveAsync(A_MINUTE));
            queue.pushAll(List.of("a", "b"), PushOptions.none().in(open.tx()));
            open.commit();
            open.tx().committed();
            awaitReal("both consumers to be woken", () -> here.isDone() && there.isDone());
            here.join().orElseThrow().ack();
            there.join().orElseThrow().ack();
        }
    }

    @Test
    void commitThatIsNotReportedIsFound() {
        MessageQueue<String> queue = orders(joining());
        MessageQueue<String> other = orders(client());
        try (TestTransactions.Open open = begin()) {
            CompletableFuture<Optional<Reservation<String>>> waiting = track(other.reserveAsync(Duration.ofHours(1)));
            queue.push("a", PushOptions.none().in(open.tx()));
            open.commit();
            passUntilDone("the consumer to find the message", A_MINUTE, waiting)
                    .orElseThrow()
                    .ack();
        }
    }

    @Test
    void listIsStoredInItsOrder() throws Exception {
        MessageQueue<String> queue = orders(joining());
        List<String> payloads = IntStream.range(0, 250).mapToObj(i -> "m" + i).toList();
        try (TestTransactions.Open open = begin()) {
            List<PushResult> pushed = queue.pushAll(payloads, PushOptions.none().in(open.tx()));
            assertThat(pushed.stream().map(PushResult::id).collect(Collectors.toSet()))
                    .hasSize(payloads.size());
            open.commit();
            open.tx().committed();
        }
        assertThat(popAll(queue)).isEqualTo(payloads);
        awaitReal("the pushes to be counted", () -> queue.stats().pushed() == payloads.size());
    }

    @Test
    void scheduledMessageIsNotDueBefore() {
        MessageQueue<String> queue = orders(joining());
        try (TestTransactions.Open open = begin()) {
            queue.push("later", PushOptions.delay(seconds(2)).in(open.tx()));
            CompletableFuture<Optional<Reservation<String>>> waiting = track(queue.reserveAsync(Duration.ofHours(1)));
            open.commit();
            open.tx().committed();
            assertThat(queue.counts().scheduled()).isEqualTo(1);
            passUntilDone("the due time", A_MINUTE, waiting).orElseThrow().ack();
        }
    }

    @Test
    void uniqueKeyIsRememberedWithTheCommit() {
        requires(Capability.DEDUPLICATE);
        MessageQueue<String> queue = orders(joining());
        try (TestTransactions.Open open = begin()) {
            PushOptions unique =
                    PushOptions.none().unique("order-7", Duration.ofHours(1)).in(open.tx());
            PushResult first = queue.push("a", unique);
            PushResult second = queue.push("b", unique);
            assertThat(second.duplicate()).isTrue();
            assertThat(second.id()).isEqualTo(first.id());
            open.commit();
            open.tx().committed();
            PushResult later = queue.push("c", PushOptions.none().unique("order-7", Duration.ofHours(1)));
            assertThat(later.duplicate()).isTrue();
            assertThat(later.id()).isEqualTo(first.id());
        }
        assertThat(queue.totalSize()).isEqualTo(1);
        queue.purge();
    }

    @Test
    void keyKeepsItsOrderAlthoughTheFirstPushCommitsLast() throws Exception {
        requires(Capability.KEYED);
        QueueOptions keyed = QueueOptions.builder().keyed().build();
        MessageQueue<String> queue = orders(joining(), keyed);
        MessageQueue<String> other = orders(client(), keyed);
        queue.push("before", PushOptions.none().key("b")); // the queue exists
        assertThat(popAll(queue)).containsExactly("before");
        try (TestTransactions.Open open = begin()) {
            queue.push("a1", PushOptions.none().key("a").in(open.tx()));
            queue.push("a2", PushOptions.none().key("a").in(open.tx()));
            CompletableFuture<PushResult> next =
                    track(other.pushAsync("a3", PushOptions.none().key("a")));
            open.commit();
            open.tx().committed();
            next.join();
        }
        for (String expected : List.of("a1", "a2", "a3")) {
            Reservation<String> held = reserved(other);
            assertThat(held.payload()).isEqualTo(expected);
            assertThat(other.reserve(Duration.ZERO))
                    .as("a second message of the key")
                    .isEmpty();
            held.ack();
        }
    }

    @Test
    void messageThatCommitsLateIsNotPassedOver() throws Exception {
        MessageQueue<String> queue = orders(joining());
        queue.push("before"); // the queue exists
        assertThat(popAll(queue)).containsExactly("before");
        try (TestTransactions.Open open = begin()) {
            queue.push("early", PushOptions.none().in(open.tx()));
            CompletableFuture<PushResult> pushed = track(queue.pushAsync("late"));
            CompletableFuture<Optional<Reservation<String>>> first = track(queue.reserveAsync(Duration.ofHours(1)));
            open.commit();
            pushed.join();
            Reservation<String> one =
                    passUntilDone("one message", A_MINUTE, first).orElseThrow();
            Reservation<String> two = passUntilDone("the other one", A_MINUTE, queue.reserveAsync(Duration.ofHours(1)))
                    .orElseThrow();
            assertThat(List.of(one.payload(), two.payload())).containsExactlyInAnyOrder("early", "late");
            one.ack();
            two.ack();
        }
    }

    @Test
    void lateCommitIsFoundByACallThatDoesNotWait() throws Exception {
        assumeFalse(storage().transactions().blocksOthers(), "the storage has one writer at a time");
        MessageQueue<String> queue = orders(joining());
        MessageQueue<String> other = orders(client());
        queue.push("before"); // the queue exists
        assertThat(popAll(queue)).containsExactly("before");
        try (TestTransactions.Open open = begin()) {
            queue.push("late", PushOptions.none().in(open.tx()));
            pass(seconds(0.2));
            other.push("early");
            pass(seconds(0.2));
            assertThat(other.pop(1, Duration.ZERO)).extracting(Message::payload).containsExactly("early");
            open.commit();
            open.tx().committed();
        }
        assertThat(other.pop(1, Duration.ZERO)).extracting(Message::payload).containsExactly("late");
    }

    /** Whatever others push and consume meanwhile, what commits last is found, and no other key waits for it. */
    @Test
    void othersGoOnWhileATransactionIsOpen() throws Exception {
        requires(Capability.KEYED);
        assumeFalse(storage().transactions().blocksOthers(), "the storage has one writer at a time");
        QueueOptions keyed = QueueOptions.builder().keyed().build();
        MessageQueue<String> queue = orders(joining(), keyed);
        MessageQueue<String> other = orders(client(), keyed);
        queue.push("before", PushOptions.none().key("b")); // the queue exists
        assertThat(popAll(queue)).containsExactly("before");
        try (TestTransactions.Open open = begin()) {
            queue.push("a1", PushOptions.none().key("a").in(open.tx()));
            queue.push("unkeyed", PushOptions.none().in(open.tx()));
            // Few rounds: test servers of MongoDB end a transaction after three seconds.
            for (int round = 0; round < 8; round++) {
                String payload = "b" + round;
                other.push(payload, PushOptions.none().key("b"));
                other.push("u" + round);
                Reservation<String> one = reserved(other);
                Reservation<String> two = reserved(other);
                assertThat(List.of(one.payload(), two.payload())).containsExactlyInAnyOrder(payload, "u" + round);
                one.ack();
                two.ack();
                pass(seconds(0.25));
            }
            open.commit();
            open.tx().committed();
        }
        assertThat(popAll(other)).containsExactlyInAnyOrder("a1", "unkeyed");
    }

    @Test
    void moveIntoAKeyedQueueDoesNotWaitForAnOpenTransaction() throws Exception {
        requires(Capability.KEYED, Capability.MOVE);
        assumeFalse(storage().transactions().blocksOthers(), "the storage has one writer at a time");
        QueueOptions keyed = QueueOptions.builder().keyed().build();
        MessageQueue<String> target = queue(joining(), "target", keyed);
        target.push("before", PushOptions.none().key("b")); // the queue exists
        assertThat(popAll(target)).containsExactly("before");
        QueueFactory mover = client();
        MessageQueue<String> source = orders(mover);
        queue(mover, "target", keyed);
        source.push("moved");
        try (TestTransactions.Open open = begin()) {
            target.push("a1", PushOptions.none().key("a").in(open.tx()));
            reserved(source).moveTo("target");
            assertThat(target.totalSize()).isEqualTo(1);
            open.commit();
            open.tx().committed();
        }
        assertThat(popAll(target)).containsExactlyInAnyOrder("moved", "a1");
    }

    @Test
    void brokenPushLeavesTheTransactionAsItIs() throws Exception {
        MessageQueue<String> queue =
                orders(joining(), QueueOptions.builder().maxPayloadBytes(100).build());
        try (TestTransactions.Open open = begin()) {
            queue.push("a", PushOptions.none().in(open.tx()));
            assertThatThrownBy(() ->
                            queue.push("x".repeat(1000), PushOptions.none().in(open.tx())))
                    .isInstanceOf(PayloadTooLargeException.class);
            open.commit();
            open.tx().committed();
        }
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void pushAfterTheEndIsRefused() {
        MessageQueue<String> queue = orders(joining());
        Tx ended;
        try (TestTransactions.Open open = begin()) {
            ended = open.tx();
        }
        assertThatThrownBy(() -> queue.push("b", PushOptions.none().in(ended))).hasMessageContaining("orders");
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void transactionOfAnotherStorageIsRefused() {
        MessageQueue<String> queue = orders(joining());
        assertThatThrownBy(() -> queue.push("a", PushOptions.none().in(new ForeignTx())))
                .isInstanceOf(OtherStorageException.class)
                .hasMessageContainingAll("'orders'", ForeignTx.class.getName());
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void asyncPushIsRefused() {
        MessageQueue<String> queue = orders(joining());
        try (TestTransactions.Open open = begin()) {
            PushOptions in = PushOptions.none().in(open.tx());
            assertThatThrownBy(() -> queue.pushAsync("a", in))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'orders'", "use push or pushAll");
            assertThatThrownBy(() -> queue.pushAllAsync(List.of("a"), in)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Of a storage that no backend has. */
    static final class ForeignTx extends Tx {}
}

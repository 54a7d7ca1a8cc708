package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.StaleReservationException;
import dev.jono.StorageException;
import dev.jono.UnsupportedCapabilityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A move is one atomic step if the backend declares it. Otherwise it takes several steps, and never loses a message.
 */
abstract class MoveRules extends ContractCase {
    MoveRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsMove() {
        requires(Capability.RESERVE, Capability.MOVE);
    }

    private final Faults faults = new Faults();

    /** A client with the backend's own moves, or one without atomic moves. */
    private QueueFactory mover(boolean atomic) {
        if (atomic) {
            requires(Capability.ATOMIC_MOVE);
        } else {
            requiresMovesInSeveralSteps();
            faults.hide(Capability.ATOMIC_MOVE);
        }
        return client(faults);
    }

    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void movedMessageIsTheSameMessageElsewhere(boolean atomic) throws Exception {
        QueueFactory client = mover(atomic);
        MessageQueue<String> queue = orders(client);
        String id = queue.push("a", PushOptions.none().header("tenant", "acme").tries(3))
                .id();
        reserved(queue).moveTo("elsewhere");
        assertThat(queue.totalSize()).isZero();
        Reservation<String> moved = reserved(queue(client, "elsewhere", QueueOptions.none()));
        assertThat(moved.id()).isEqualTo(id);
        assertThat(moved.payload()).isEqualTo("a");
        assertThat(moved.headers().asMap()).isEqualTo(Map.of("tenant", "acme"));
        assertThat(moved.tries()).isZero();
        moved.ack();
    }

    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void moveWakesWhoWaitsInTheTarget(boolean atomic) throws Exception {
        QueueFactory client = mover(atomic);
        CompletableFuture<Optional<Message<String>>> waiting =
                track(queue(client, "elsewhere", QueueOptions.none()).popAsync(seconds(1_000)));
        orders(client).push("a");
        reserved(orders(client)).moveTo("elsewhere");
        awaitReal("the signal", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void staleMoveChangesNothing(boolean atomic) throws Exception {
        QueueFactory client = mover(atomic);
        MessageQueue<String> queue = orders(client);
        queue.push("a");
        Reservation<String> stale = queue.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2)))
                .get(0);
        pass(seconds(3));
        Reservation<String> current = reserved(orders(client()));
        assertThatThrownBy(() -> stale.moveTo("elsewhere")).isInstanceOf(StaleReservationException.class);
        assertThat(queue(client, "elsewhere", QueueOptions.none()).totalSize()).isZero();
        current.ack();
    }

    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void deadLetterKeepsIdAndPayload(boolean atomic) throws Exception {
        QueueFactory client = mover(atomic);
        MessageQueue<String> queue = orders(
                client, QueueOptions.builder().deadLetter(DeadLetter.after(1)).build());
        String id = queue.push("a").id();
        reserved(queue).retry();
        assertThat(queue.totalSize()).isZero();
        Message<dev.jono.EncodedPayload> dead = popped(client.deadLetters());
        assertThat(dead.id()).isEqualTo(id);
        assertThat(dead.headers().get(Headers.DL_REASON)).isEqualTo("limit");
    }

    @ParameterizedTest(name = "atomic: {0}")
    @ValueSource(booleans = {true, false})
    void redriveKeepsTheId(boolean atomic) throws Exception {
        QueueFactory client = mover(atomic);
        MessageQueue<String> queue = orders(client);
        String id = queue.push("a").id();
        reserved(queue).reject("no");
        assertThat(client.deadLetters().redrive()).isEqualTo(1);
        assertThat(popped(queue).id()).isEqualTo(id);
        assertThat(client.deadLetters().totalSize()).isZero();
    }

    @Test
    void manyMovesAtOnceLoseAndDoubleNothing() throws Exception {
        MessageQueue<String> queue = orders();
        for (int i = 0; i < 100; i++) {
            queue.push("m" + i);
        }
        List<Reservation<String>> all = queue.reserve(100, Duration.ZERO);
        List<CompletableFuture<Void>> moves = all.stream()
                .map(r -> track(r.moveToAsync("elsewhere" + Math.abs(r.payload().hashCode() % 3))))
                .toList();
        moves.forEach(CompletableFuture::join);
        long moved = 0;
        for (int i = 0; i < 3; i++) {
            moved += queue("elsewhere" + i).totalSize();
        }
        assertThat(moved).isEqualTo(100);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void moveThatIsNotAtomicAndCannotStoreLosesNothing() throws Exception {
        MessageQueue<String> queue = orders(mover(false));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        faults.refuse(Call.INSERT, request -> true);
        assertThatThrownBy(() -> held.moveTo("elsewhere")).isInstanceOf(StorageException.class);
        faults.accept(Call.INSERT);
        assertThat(queue("elsewhere").totalSize()).isZero();
        assertThat(queue.totalSize()).isEqualTo(1);
        held.moveTo("elsewhere");
        assertThat(queue("elsewhere").totalSize()).isEqualTo(1);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void moveThatIsNotAtomicAndCannotRemoveLosesNothing() throws Exception {
        MessageQueue<String> queue =
                orders(mover(false), QueueOptions.builder().lease(seconds(5)).build());
        queue.push("a");
        Reservation<String> held = reserved(queue);
        faults.refuse(Call.ACK, request -> true);
        assertThatThrownBy(() -> held.moveTo("elsewhere")).isInstanceOf(StorageException.class);
        faults.accept(Call.ACK);
        assertThat(queue("elsewhere").totalSize()).isEqualTo(1);
        // The reservation is still there. When it ends, there is a duplicate with the same id.
        held.extend(seconds(1));
        passUntil("the message to be claimable again", seconds(20), () -> queue.size() == 1);
        assertThat(popped(queue).id()).isEqualTo(popped(queue("elsewhere")).id());
    }

    @Test
    void moveIntoItsOwnQueueBeginsAgain() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a", PushOptions.none().tries(4));
        Reservation<String> held = reserved(queue);
        try {
            held.moveTo("orders");
        } catch (UnsupportedCapabilityException refused) {
            assertThat(declared(Capability.ATOMIC_MOVE)).isFalse();
            held.ack();
            return;
        }
        assertThat(queue.totalSize()).isEqualTo(1);
        Message<String> again = popped(queue);
        assertThat(again.tries()).isZero();
        assertThat(again.payload()).isEqualTo("a");
    }

    @Test
    void refusedNameLeavesTheReservationInPlace() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = reserved(queue);
        assertThatThrownBy(() -> held.moveTo("no such name!")).isInstanceOf(IllegalArgumentException.class);
        held.ack();
        assertThat(queue.totalSize()).isZero();
    }
}

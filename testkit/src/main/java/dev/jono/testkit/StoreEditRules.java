package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.PushOptions;
import dev.jono.spi.Due;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moves of messages that no consumer holds, which keep their tries and due times. */
abstract class StoreEditRules extends StoreCase {
    StoreEditRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsEdit() {
        requires(Capability.EDIT, Capability.ATOMIC_MOVE, Capability.RESERVE, Capability.SCHEDULE, Capability.BROWSE);
    }

    private QueueStore target() {
        return store("target");
    }

    private static MoveIdleRequest.Builder keeping(String... ids) {
        return MoveIdleRequest.builder()
                .ids(List.of(ids))
                .toQueue("target")
                .keepsTriesAndDue(true)
                .token(token());
    }

    private static void moveIdle(QueueStore from, String id) {
        assertThat(got(from.moveIdle(keeping(id).build())).outcomes()).containsExactly(EditOutcome.DONE);
    }

    private static StoredMessage seen(QueueStore store, String id) {
        List<StoredMessage> found = browse(store, b -> b.ids(List.of(id)));
        assertThat(found).as("the message " + id).hasSize(1);
        return found.get(0);
    }

    private static void assertMovedAs(StoredMessage before, StoredMessage after) {
        assertThat(after.payload()).isEqualTo(before.payload());
        assertThat(after.headers()).isEqualTo(before.headers());
        assertThat(after.tries()).as("tries").isEqualTo(before.tries());
        assertThat(after.dueMillis()).as("due time").isEqualTo(before.dueMillis());
        assertThat(after.state()).isEqualTo(before.state());
    }

    @Test
    void scheduledMessageKeepsItsTriesAndItsDueTime() {
        Headers headers = PushOptions.none().header("tenant", "acme").headers();
        String id = ids(got(store().insert(inserting(message("a")
                        .due(Due.in(seconds(20).toMillis()))
                        .headers(headers)
                        .tries(3)
                        .build()))))
                .get(0);
        StoredMessage before = seen(store(), id);
        moveIdle(store(), id);
        assertMovedAs(before, seen(target(), id));
        assertCounts(store(), 0, 0, 0);
        assertCounts(target(), 0, 1, 0);
        assertThat(claim(target(), 1)).isEmpty();
        pass(seconds(21));
        assertThat(claimOne(target()).tries()).isEqualTo(3);
    }

    @Test
    void retriedMessageKeepsItsTriesAndItsDueTime() {
        String id = insert(store(), "a").get(0);
        release(store(), receipt(claimOne(store())), Due.now(), true);
        release(store(), receipt(claimOne(store())), Due.in(seconds(20).toMillis()), true);
        StoredMessage before = seen(store(), id);
        assertThat(before.tries()).isEqualTo(2);
        moveIdle(store(), id);
        assertMovedAs(before, seen(target(), id));
        pass(seconds(21));
        StoredMessage claimed = claimOne(target());
        assertThat(claimed.tries()).isEqualTo(2);
        assertThat(claimed.dueMillis()).isEqualTo(before.dueMillis());
        assertThat(ack(target(), receipt(claimed))).containsExactly(Outcome.DONE);
        assertCounts(target(), 0, 0, 0);
    }

    @Test
    void dueMessageComesBeforeThoseThatAreDueLater() {
        String id = insert(store(), "a").get(0);
        pass(seconds(0.2));
        insert(target(), "b");
        pass(seconds(0.2));
        moveIdle(store(), id);
        assertThat(texts(claim(target(), 2))).containsExactly("a", "b");
    }

    @Test
    void messageWhoseLeaseHasEndedKeepsItsTriesAndItsDueTime() {
        leaseHasEnded("a");
    }

    /** Storages may treat large messages in another way. */
    @Test
    void largeMessageWhoseLeaseHasEndedKeepsItsTriesAndItsDueTime() {
        leaseHasEnded("x".repeat(300_000));
    }

    private void leaseHasEnded(String payload) {
        insert(store(), payload);
        StoredMessage lost = claim(store(), 1, seconds(2)).get(0);
        pass(seconds(3));
        moveIdle(store(), lost.id());
        StoredMessage again = claimOne(target());
        assertThat(again.tries()).isEqualTo(1);
        assertThat(again.dueMillis()).isEqualTo(lost.dueMillis());
        assertThat(again.payload()).isEqualTo(lost.payload());
        assertThat(ack(store(), receipt(lost))).doesNotContain(Outcome.DONE);
        assertThat(ack(target(), receipt(again))).containsExactly(Outcome.DONE);
    }

    @Test
    void heldMessageIsNotMoved() {
        insert(store(), "a");
        StoredMessage held = claimOne(store());
        assertThat(got(store().moveIdle(keeping(held.id(), "absent").build())).outcomes())
                .containsExactly(EditOutcome.HELD, EditOutcome.ABSENT);
        assertThat(ack(store(), receipt(held))).containsExactly(Outcome.DONE);
        assertCounts(target(), 0, 0, 0);
    }

    @Test
    void headersAreDroppedAsAsked() {
        Headers headers =
                PushOptions.none().header("tenant", "acme").header("trace", "1").headers();
        String id = ids(got(store().insert(
                                inserting(message("a").headers(headers).tries(1).build()))))
                .get(0);
        got(store().moveIdle(keeping(id).dropHeaders(Set.of("trace")).build()));
        StoredMessage after = seen(target(), id);
        assertThat(after.headers().asMap()).containsOnlyKeys("tenant");
        assertThat(after.tries()).isEqualTo(1);
    }

    @Test
    void repeatedCallMovesOnce() {
        requiresRepeatable();
        String id = insertDue(store(), "a", Due.in(seconds(20).toMillis()));
        MoveIdleRequest request = keeping(id).build();
        assertThat(got(store().moveIdle(request)).outcomes()).containsExactly(EditOutcome.DONE);
        assertThat(got(store().moveIdle(request)).outcomes()).containsExactly(EditOutcome.DONE);
        assertCounts(target(), 0, 1, 0);
    }

    @Test
    void messageWithAKeyKeepsTriesAndDueTimeInAKeyedQueue() {
        requires(Capability.KEYED);
        QueueStore keyed = keyed("orders");
        QueueStore target = keyed("target");
        Headers headers = PushOptions.none().key("k").headers();
        got(keyed.insert(inserting(
                message("a").headers(headers).build(),
                message("b").headers(headers).tries(2).build())));
        got(target.insert(inserting(message("first").headers(headers).build())));
        StoredMessage first = claimOne(keyed);
        release(keyed, receipt(first), Due.in(seconds(5).toMillis()), true);
        String blocked = browse(keyed, b -> b.limit(10)).stream()
                .map(StoredMessage::id)
                .filter(id -> !id.equals(first.id()))
                .findFirst()
                .orElseThrow();
        StoredMessage before = seen(keyed, blocked);
        moveIdle(keyed, blocked);
        moveIdle(keyed, first.id());
        StoredMessage after = seen(target, blocked);
        assertThat(after.tries()).isEqualTo(2);
        assertThat(after.dueMillis()).isEqualTo(before.dueMillis());
        ack(target, receipt(claimOne(target)));
        StoredMessage second = claimOne(target);
        assertThat(second.id()).isEqualTo(blocked);
        assertThat(second.tries()).isEqualTo(2);
        ack(target, receipt(second));
        pass(seconds(6));
        assertThat(claimOne(target).tries()).isEqualTo(1);
        assertCounts(keyed, 0, 0, 0);
    }

    private QueueStore keyed(String name) {
        return backend().queue(QueueSpec.builder().name(name).maxPerKey(1).build());
    }
}

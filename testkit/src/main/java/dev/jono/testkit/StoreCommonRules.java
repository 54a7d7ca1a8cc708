package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jono.Capability;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.spi.Backend;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules for every method of the SPI. */
abstract class StoreCommonRules extends StoreCase {
    StoreCommonRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void openedBackendCanWhatItDeclares() {
        assertThat(backend().traits().capabilities())
                .containsExactlyInAnyOrderElementsOf(storage().declared());
    }

    @Test
    void limitsArePositive() {
        assertThat(backend().traits().maxBatch()).isPositive();
        assertThat(backend().traits().maxBatchBytes()).isPositive();
        assertThat(backend().traits().maxPayloadBytes()).isPositive();
        assertThat(backend().traits().maxConcurrentInserts()).isPositive();
    }

    @Test
    void atomicMovesAreDeclaredForSomePairOrNot() {
        boolean declares = storage().capabilities().contains(Capability.ATOMIC_MOVE);
        assertThat(backend().movesAtomically("a", "b")).isEqualTo(declares);
    }

    @Test
    void emptyListsGiveEmptyResults() {
        QueueStore store = store();
        assertThat(got(store.insert(inserting())).items()).isEmpty();
        assertThat(got(store.restore(restoring(List.of()))).items()).isEmpty();
        if (storage().capabilities().contains(Capability.RESERVE)) {
            assertThat(got(store.ack(acking())).outcomes()).isEmpty();
            assertThat(got(store.release(releasing())).outcomes()).isEmpty();
            assertThat(got(store.extend(extending(seconds(1)))).outcomes()).isEmpty();
        }
        if (storage().capabilities().contains(Capability.MOVE)) {
            assertThat(got(store.move(moving())).outcomes()).isEmpty();
        }
        if (storage().capabilities().contains(Capability.REMOVE)) {
            RemoveRequest none = RemoveRequest.builder().token(token()).build();
            assertThat(got(store.remove(none)).outcomes()).isEmpty();
        }
        assertCounts(store, 0, 0, 0);
    }

    @Test
    void twoHandlesOfANameAreTheSameQueue() {
        insert(store("same"), "a");
        assertCounts(store("same"), 1, 0, 0);
        assertCounts(store("other"), 0, 0, 0);
    }

    @Test
    void twoBackendsOnALocationSeeTheSameMessages() {
        try (Backend other = storage().openBackend()) {
            insert(store(), "a");
            QueueStore remote =
                    other.queue(dev.jono.spi.QueueSpec.builder().name("orders").build());
            assertThat(texts(take(remote, 1).messages())).containsExactly("a");
            assertCounts(store(), 0, 0, 0);
        }
    }

    @Test
    void namesOfQueuesAreSortedAndKnown() {
        insert(store("pears"), "a");
        insert(store("apples"), "a");
        insert(store("plums"), "a");
        assertThat(got(backend().queues()))
                .containsSubsequence("apples", "pears", "plums")
                .isSorted();
    }

    @Test
    void likeNamedQueuesAreKeptApart() {
        List<String> names =
                List.of("a", "a:b", "a.b", "a_b", "A", "a{b}", "a%b", "a-b", "a+b", "a#b", "a=b", "a@b", "a/b");
        List<String> allowed = names.stream()
                .filter(n -> !n.contains("%"))
                .filter(n -> backend().refuseName(n) == null)
                .toList();
        allowed.forEach(name -> insert(store(name), name));
        for (String name : allowed) {
            assertThat(texts(take(store(name), 10).messages())).as(name).containsExactly(name);
        }
    }

    @Test
    void resultsCarryTheStorageClock() {
        QueueStore store = store();
        long inserted = got(store.insert(inserting(message("a").build()))).storageMillis();
        pass(seconds(2));
        long taken = take(store, 1).storageMillis();
        long counted = counts(store).storageMillis();
        assertThat(inserted).as("milliseconds since the epoch").isGreaterThan(1_500_000_000_000L);
        assertThat(taken - inserted)
                .isBetween(
                        seconds(2).toMillis(),
                        seconds(2).plus(Duration.ofSeconds(20)).toMillis());
        assertThat(counted).isGreaterThanOrEqualTo(taken);
    }

    @Test
    void repeatableCallsAreNamedByTheirTokens() {
        InsertRequest first = inserting(message("a").build());
        InsertRequest second = inserting(message("a").build());
        assertThat(ids(got(store().insert(first)))).isNotEqualTo(ids(got(store().insert(second))));
        assertCounts(store(), 2, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = Capability.class,
            names = {"RESERVE", "MOVE", "REMOVE", "DELETE", "BROWSE", "HISTORY", "SCHEDULE"})
    void whatIsNotDeclaredIsRefused(Capability capability) {
        assumeFalse(
                storage().capabilities().contains(capability),
                () -> "the backend declares " + capability + ", nothing to refuse");
        for (Map.Entry<String, Supplier<CompletionStage<?>>> call :
                callsThatNeed(capability).entrySet()) {
            assertThatThrownBy(() -> got(call.getValue().get()))
                    .as(call.getKey())
                    .isInstanceOf(UnsupportedCapabilityException.class);
        }
    }

    private Map<String, Supplier<CompletionStage<?>>> callsThatNeed(Capability capability) {
        QueueStore store = store();
        Receipt receipt = Receipt.of("id", "token");
        return switch (capability) {
            case RESERVE ->
                Map.of(
                        "claim", () -> store.claim(claiming(1).build()),
                        "ack", () -> store.ack(acking(receipt)),
                        "release", () -> store.release(releasing(ReleaseRequest.Item.of(receipt, null, true))),
                        "extend", () -> store.extend(extending(seconds(1), receipt)));
            case MOVE ->
                Map.of(
                        "move",
                        () -> store.move(MoveRequest.builder()
                                .items(List.of(moveTo(receipt, "b")))
                                .token(token())
                                .build()));
            case REMOVE ->
                Map.of(
                        "remove",
                        () -> store.remove(RemoveRequest.builder()
                                .ids(List.of("id"))
                                .token(token())
                                .build()));
            case DELETE ->
                Map.of("delete", () -> store.delete(DeleteRequest.builder().build()));
            case BROWSE ->
                Map.of("browse", () -> store.browse(BrowseRequest.builder().build()));
            case HISTORY ->
                Map.of(
                        "history",
                        () -> store.browse(BrowseRequest.builder()
                                .view(BrowseRequest.View.HISTORY)
                                .build()));
            default ->
                Map.of(
                        "delayed insert",
                        () -> store.insert(
                                inserting(message("a").due(Due.in(60_000)).build())));
        };
    }
}

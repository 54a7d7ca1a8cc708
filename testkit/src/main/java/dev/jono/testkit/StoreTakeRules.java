package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StoredMessage;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Insert, take and restore. */
abstract class StoreTakeRules extends StoreCase {
    StoreTakeRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void insertedListLeavesInItsOrder() {
        List<String> ids = insert(store(), "a", "b", "c", "d", "e");
        assertThat(new HashSet<>(ids)).hasSize(5);
        List<StoredMessage> taken = take(store(), 10).messages();
        assertThat(texts(taken)).containsExactly("a", "b", "c", "d", "e");
        assertThat(taken.stream().map(StoredMessage::id)).containsExactlyElementsOf(ids);
    }

    @Test
    void laterInsertsLeaveLater() {
        QueueStore store = store();
        for (int i = 0; i < 50; i++) {
            insert(store, "m" + i);
        }
        assertThat(texts(take(store, 100).messages()))
                .containsExactlyElementsOf(
                        IntStream.range(0, 50).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void takeReturnsNoMoreThanAskedAndRemovesOnlyThat() {
        insert(store(), "a", "b", "c");
        assertThat(texts(take(store(), 2).messages())).containsExactly("a", "b");
        assertCounts(store(), 1, 0, 0);
    }

    @Test
    void largestBatchPasses() {
        assertLargestBatchPasses(max -> take(store(), max).messages());
    }

    @ParameterizedTest
    @EnumSource(PayloadKind.class)
    void bytesKindAndHeadersComeBackAsTheyWere(PayloadKind kind) {
        byte[] bytes = kind == PayloadKind.BYTES
                ? new byte[] {0, -1, 10, 13, 34, 92, -128, 127}
                : "{\"a\":[],\"b\":{},\"n\":12345678901234567890.1200,\"u\":\"\\u00e9 \u00e9 \ud83d\ude80\"}"
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8);
        EncodedPayload payload = EncodedPayload.of(kind, bytes);
        Headers headers = Headers.empty()
                .with("text", "a \"quoted\" \u00e9\ud83d\ude80\n")
                .with("empty", "")
                .with("long", Long.MIN_VALUE)
                .with("max", Long.MAX_VALUE)
                .with("double", 0.1)
                .with("whole", 3.0)
                .with("yes", true);
        got(store().insert(inserting(
                NewMessage.builder().payload(payload).headers(headers).tries(7).build())));
        StoredMessage taken = take(store(), 1).messages().get(0);
        assertThat(taken.payload()).isEqualTo(payload);
        assertThat(taken.headers().asMap()).isEqualTo(headers.asMap());
        assertThat(taken.tries()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource(
            value = PayloadKind.class,
            names = {"STRING", "BYTES"})
    void emptyPayloadIsAPayload(PayloadKind kind) {
        EncodedPayload nothing = EncodedPayload.of(kind, new byte[0]);
        got(store().insert(inserting(NewMessage.builder().payload(nothing).build())));
        assertThat(take(store(), 1).messages().get(0).payload()).isEqualTo(nothing);
    }

    @Test
    void messageOfALiveIdIsLeftUntouchedAndReportsSuccess() {
        String id = insert(store(), "first").get(0);
        NewMessage again = message("second").id(id).build();
        assertThat(ids(got(store().insert(inserting(again))))).containsExactly(id);
        assertThat(texts(take(store(), 10).messages())).containsExactly("first");
    }

    @Test
    void givenIdIsKept() {
        String id = insert(store(), "a").get(0);
        take(store(), 1);
        got(store("target").insert(inserting(message("a").id(id).build())));
        assertThat(take(store("target"), 1).messages().get(0).id()).isEqualTo(id);
    }

    @Test
    void dueTimesDecideTheOrderAndTiesTheInsertion() {
        requires(Capability.SCHEDULE);
        QueueStore store = store();
        long now = counts(store).storageMillis();
        insertDue(store, "late", Due.atMillis(now - 1_000));
        insertDue(store, "tie1", Due.atMillis(now - 5_000));
        insertDue(store, "early", Due.atMillis(now - 9_000));
        insertDue(store, "tie2", Due.atMillis(now - 5_000));
        got(store.insert(inserting(
                message("tie3").due(Due.atMillis(now - 5_000)).build(),
                message("tie4").due(Due.atMillis(now - 5_000)).build())));
        assertThat(texts(take(store, 10).messages())).containsExactly("early", "tie1", "tie2", "tie3", "tie4", "late");
    }

    @Test
    void nothingIsTakenBeforeItIsDue() {
        requires(Capability.SCHEDULE);
        QueueStore store = store();
        insertDue(store, "later", Due.in(seconds(4).toMillis()));
        ClaimResult early = take(store, 1);
        assertThat(early.messages()).isEmpty();
        assertThat(early.nextMillis()).isBetween(1L, mostMillis(4));
        storage()
                .passUntil(
                        "the message to be due",
                        seconds(30),
                        () -> counts(store).ready() == 1);
        ClaimResult due = take(store, 1);
        assertThat(texts(due.messages())).containsExactly("later");
        assertThat(due.messages().get(0).dueMillis()).isLessThanOrEqualTo(due.storageMillis());
    }

    @Test
    void takeThatFindsNothingTellsWhenToComeBack() {
        requires(Capability.SCHEDULE);
        QueueStore store = store();
        assertThat(take(store, 1).nextMillis()).isEqualTo(ClaimResult.NONE);
        insertDue(store, "b", Due.in(seconds(40).toMillis()));
        insertDue(store, "a", Due.in(seconds(20).toMillis()));
        assertThat(take(store, 1).nextMillis()).isBetween(1L, mostMillis(20));
        insert(store, "now");
        ClaimResult some = take(store, 5);
        assertThat(texts(some.messages())).containsExactly("now");
        assertThat(some.nextMillis()).isBetween(1L, mostMillis(20));
    }

    @Test
    void restoredMessagesGoBackToTheirOldPlace() {
        insert(store(), "a", "b", "c", "d");
        List<StoredMessage> taken = take(store(), 2).messages();
        got(store().restore(restoring(List.of(taken.get(1), taken.get(0)))));
        List<StoredMessage> again = take(store(), 10).messages();
        assertThat(texts(again)).containsExactly("a", "b", "c", "d");
        assertThat(again.get(0).id()).isEqualTo(taken.get(0).id());
        assertThat(again.get(0).dueMillis()).isEqualTo(taken.get(0).dueMillis());
    }

    @Test
    void restoredMessageKeepsTriesHeadersAndPayload() {
        got(store().insert(inserting(message("a")
                .tries(3)
                .headers(Headers.empty().with("tenant", "acme"))
                .build())));
        StoredMessage taken = take(store(), 1).messages().get(0);
        got(store().restore(restoring(List.of(taken))));
        StoredMessage again = take(store(), 1).messages().get(0);
        assertThat(again.id()).isEqualTo(taken.id());
        assertThat(again.tries()).isEqualTo(3);
        assertThat(again.headers()).isEqualTo(taken.headers());
        assertThat(again.payload()).isEqualTo(taken.payload());
    }

    @Test
    void restoreMayChangeDueTimeAndTries() {
        requires(Capability.SCHEDULE);
        insert(store(), "a");
        ClaimResult result = take(store(), 1);
        long later = result.storageMillis() + seconds(4).toMillis();
        got(store().restore(restoring(List.of(result.messages().get(0).with(later, 5)))));
        assertCounts(store(), 0, 1, 0);
        storage()
                .passUntil(
                        "the message to be due",
                        seconds(60),
                        () -> counts(store()).ready() == 1);
        assertThat(take(store(), 1).messages().get(0).tries()).isEqualTo(5);
    }

    @Test
    void restoreLeavesALiveMessageAsItIs() {
        insert(store(), "a");
        List<StoredMessage> taken = take(store(), 1).messages();
        got(store().restore(restoring(taken)));
        got(store().restore(restoring(taken)));
        assertThat(texts(take(store(), 10).messages())).containsExactly("a");
    }

    @Test
    void restoredMessageKeepsItsDueTimeZero() {
        requires(Capability.SCHEDULE, Capability.BROWSE);
        insertDue(store(), "zero", Due.atMillis(0));
        long due = browse(store(), what -> what.limit(1)).get(0).dueMillis();
        insert(store(), "now");
        List<StoredMessage> taken = take(store(), 1).messages();
        assertThat(taken.get(0).dueMillis()).isEqualTo(due);
        got(store().restore(restoring(taken)));
        assertThat(browse(store(), what -> what.limit(1)).get(0).dueMillis()).isEqualTo(due);
        assertThat(texts(take(store(), 2).messages())).containsExactly("zero", "now");
    }
}

package dev.jono.e2e.mongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Headers;
import dev.jono.OutcomeUnknownException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The network between a client and the primary is cut while a reply is on its way, at several places of it: a call that is
 * then repeated under the same token takes effect once. Side by side, for the driver waits half a second after each cut.
 */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class CutRepliesTest {
    private static MongoReplicaSet set;

    @BeforeAll
    static void start() {
        set = MongoReplicaSet.start(1);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    private static CutLink open(String backend) {
        return CutLink.open(backend, set.awaitPrimary(), set::uri);
    }

    /** Whether two messages are stored in one request: in buckets as one document, and elsewhere it makes no difference. */
    private static List<Boolean> ways(String backend) {
        return backend.startsWith("bucket-") ? List.of(true, false) : List.of(true);
    }

    private static void done(Supplier<SettleResult> call) {
        assertThat(CutLink.answered(call).outcomes()).containsExactly(Outcome.DONE);
    }

    private static void ackedElsewhere(CutLink cut, StoredMessage message) {
        assertThat(got(cut.sure().store().ack(acking(message))).outcomes()).containsExactly(Outcome.DONE);
    }

    /** One of two that were claimed through the proxy; the other is acked elsewhere, so what is known of both is old. */
    private static StoredMessage claimed(CutLink cut, boolean together) {
        stock(cut, together);
        List<StoredMessage> messages = cut.raw().claim(2).messages();
        assertThat(messages).hasSize(2);
        ackedElsewhere(cut, messages.get(1));
        return messages.get(0);
    }

    private static void stock(CutLink cut, boolean together) {
        if (together) {
            cut.sure().insert("a", "b");
        } else {
            cut.sure().insert("a");
            cut.sure().insert("b");
        }
    }

    /** A call with one that is held, and what is to be seen of it then. */
    private static void eachHeld(CutLink cut, String backend, String what, Consumer<StoredMessage> call) {
        for (boolean together : ways(backend)) {
            cut.each(what, () -> {
                StoredMessage held = claimed(cut, together);
                return () -> call.accept(held);
            });
            assertThat(cut.sure().take(9)).as("left by %s", what).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo", "bucket-mongo-safe"})
    void pushIsStoredOnceAlsoWhenItIsConsumedMeanwhile(String backend) {
        try (CutLink cut = open(backend)) {
            cut.each("insert", () -> () -> {
                InsertRequest request = inserting(message("a"), message("b"));
                assertThat(CutLink.answered(() -> got(cut.raw().store().insert(request)))
                                .items())
                        .extracting(InsertResult.Item::failure)
                        .containsOnlyNulls();
                assertThat(cut.sure().take(9)).containsExactly("a", "b");
                got(cut.raw().store().insert(request));
                assertThat(cut.sure().take(9)).isEmpty();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo", "bucket-mongo-safe"})
    void popFindsWhatItHadTaken(String backend) {
        try (CutLink cut = open(backend)) {
            for (boolean together : ways(backend)) {
                cut.each("take", () -> {
                    stock(cut, together);
                    ClaimRequest request = claiming(2);
                    return () -> assertThat(
                                    CutLink.answered(() -> got(cut.raw().store().take(request)))
                                            .messages())
                            .extracting(message -> message.payload().text())
                            .containsExactly("a", "b");
                });
                assertThat(cut.sure().take(9)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void popOfOneFindsItAndLeavesTheNext(String backend) {
        popsOfOne(open(backend));
    }

    /** Without numbers the server takes a repeated write for a new one. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo", "bucket-mongo-safe"})
    void popOfOneNeedsNoNumberedWrites(String backend) {
        popsOfOne(unnumbered(backend));
    }

    private static CutLink unnumbered(String backend) {
        return CutLink.open(backend, set.awaitPrimary(), set::uri, "&retryWrites=false");
    }

    /** Nobody can tell then whether it was stored, and it is not stored a second time. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo-safe"})
    void pushWithoutNumbersIsNeverStoredTwice(String backend) {
        try (CutLink cut = unnumbered(backend)) {
            cut.each("insert", () -> () -> {
                InsertRequest request = inserting(message("a"), message("b"));
                List<String> taken = new ArrayList<>();
                for (int times = 0; times < 2; times++) {
                    try {
                        got(cut.raw().store().insert(request));
                    } catch (OutcomeUnknownException untold) {
                        assertThat(untold.queue()).isNotNull();
                    }
                    taken.addAll(cut.sure().take(9));
                }
                assertThat(taken).doesNotHaveDuplicates();
            });
        }
    }

    private static void popsOfOne(CutLink opened) {
        try (CutLink cut = opened) {
            cut.each("take of one", () -> {
                cut.sure().insert("a", "b");
                ClaimRequest request = claiming(1);
                return () -> {
                    for (int times = 0; times < 2; times++) {
                        assertThat(CutLink.answered(() -> got(cut.raw().store().take(request)))
                                        .messages())
                                .extracting(message -> message.payload().text())
                                .containsExactly("a");
                    }
                    assertThat(cut.sure().take(9)).containsExactly("b");
                };
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void reserveFindsWhatItHadClaimed(String backend) {
        try (CutLink cut = open(backend)) {
            for (boolean together : ways(backend)) {
                cut.each("claim", () -> {
                    stock(cut, together);
                    ClaimRequest request = claiming(2);
                    return () -> {
                        List<StoredMessage> held = CutLink.answered(
                                        () -> got(cut.raw().store().claim(request)))
                                .messages();
                        assertThat(held)
                                .extracting(message -> message.payload().text())
                                .containsExactly("a", "b");
                        assertThat(held).allMatch(message -> message.tries() == 0);
                        held.forEach(message -> ackedElsewhere(cut, message));
                    };
                });
                assertThat(cut.sure().take(9)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void ackAndExtendAreDoneOnce(String backend) {
        try (CutLink cut = open(backend)) {
            eachHeld(cut, backend, "ack", held -> {
                SettleRequest request = acking(held);
                // One that is gone at a repeat was removed by the call before: so the engine takes it.
                assertThat(CutLink.answered(() -> got(cut.raw().store().ack(request)))
                                .outcomes())
                        .doesNotContain(Outcome.STALE);
                assertThat(cut.sure().claim(9).messages()).isEmpty();
            });
            eachHeld(cut, backend, "extend", held -> {
                ExtendRequest request = ExtendRequest.builder()
                        .receipts(List.of(receipt(held)))
                        .leaseMillis(60_000)
                        .token(token())
                        .build();
                done(() -> got(cut.raw().store().extend(request)));
                ackedElsewhere(cut, held);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void returnIsDoneAndCountedOnce(String backend) {
        try (CutLink cut = open(backend)) {
            eachHeld(cut, backend, "retry", held -> givenBack(cut, held, Due.in(0), true));
            eachHeld(cut, backend, "release", held -> givenBack(cut, held, null, false));
        }
    }

    private static void givenBack(CutLink cut, StoredMessage held, @Nullable Due due, boolean counted) {
        ReleaseRequest request = ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(receipt(held), due, counted)))
                .token(token())
                .build();
        done(() -> got(cut.raw().store().release(request)));
        List<StoredMessage> again = cut.sure().claim(2).messages();
        assertThat(again).extracting(StoredMessage::id).containsExactly(held.id());
        assertThat(again.get(0).tries()).isEqualTo(counted ? 1 : 0);
        done(() -> got(cut.raw().store().release(request)));
        ackedElsewhere(cut, again.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void moveToTheDeadLettersArrivesOnce(String backend) {
        try (CutLink cut = open(backend)) {
            QueueStore dead = cut.sure().queue("dead");
            eachHeld(cut, backend, "move", held -> {
                MoveRequest request = MoveRequest.builder()
                        .items(List.of(MoveItem.builder()
                                .receipt(receipt(held))
                                .toQueue("dead")
                                .due(Due.in(0))
                                .addHeaders(Headers.empty().with(Headers.DL_FROM_QUEUE, "orders"))
                                .build()))
                        .token(token())
                        .build();
                done(() -> got(cut.raw().store().move(request)));
                List<StoredMessage> moved = got(dead.take(claiming(9))).messages();
                assertThat(moved).extracting(StoredMessage::id).containsExactly(held.id());
                assertThat(moved.get(0).headers().get(Headers.DL_FROM_QUEUE)).isEqualTo("orders");
                assertThat(got(cut.raw().store().move(request)).outcomes()).doesNotContain(Outcome.STALE);
                assertThat(got(dead.take(claiming(9))).messages()).isEmpty();
            });
        }
    }
}

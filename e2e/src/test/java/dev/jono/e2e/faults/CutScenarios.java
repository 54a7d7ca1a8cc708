package dev.jono.e2e.faults;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Headers;
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
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Each call of a backend, with its reply cut at several positions. The call is repeated with the same token, as the
 * engine does, and must take effect once.
 *
 * @param together whether two messages are stored in one request, which puts them into one bucket
 */
public record CutScenarios(CutLink cut, boolean together) {
    private static void done(Supplier<SettleResult> call) {
        assertThat(CutLink.answered(call).outcomes()).containsExactly(Outcome.DONE);
    }

    private void ackedElsewhere(StoredMessage message) {
        assertThat(got(cut.sure().store().ack(acking(message))).outcomes()).containsExactly(Outcome.DONE);
    }

    /**
     * One of two messages that were claimed through the proxy. Another client acks the other one, so cached state is
     * stale.
     */
    private StoredMessage claimed() {
        stock();
        List<StoredMessage> messages = cut.raw().claim(2).messages();
        assertThat(messages).hasSize(2);
        ackedElsewhere(messages.get(1));
        return messages.get(0);
    }

    private void stock() {
        if (together) {
            cut.sure().insert("a", "b");
        } else {
            cut.sure().insert("a");
            cut.sure().insert("b");
        }
    }

    /** Makes a call with a held message, and checks the result. */
    private void eachHeld(String what, Consumer<StoredMessage> call) {
        cut.each(what, () -> {
            StoredMessage held = claimed();
            return () -> call.accept(held);
        });
        assertThat(cut.sure().take(9)).as("left by %s", what).isEmpty();
    }

    /** Also if the stored message is consumed before the repetition. */
    public void push() {
        cut.each("insert", () -> () -> {
            InsertRequest request = inserting(message("a"), message("b"));
            assertThat(CutLink.answered(() -> got(cut.raw().store().insert(request)))
                            .items())
                    .extracting(InsertResult.Item::failure)
                    .containsOnlyNulls();
            assertThat(cut.sure().take(9)).containsExactly("a", "b");
            CutLink.answered(() -> got(cut.raw().store().insert(request)));
            assertThat(cut.sure().take(9)).isEmpty();
        });
    }

    /** The repetition returns the taken messages. */
    public void pop() {
        cut.each("take", () -> {
            stock();
            ClaimRequest request = claiming(2);
            return () -> assertThat(CutLink.answered(() -> got(cut.raw().store().take(request)))
                            .messages())
                    .extracting(message -> message.payload().text())
                    .containsExactly("a", "b");
        });
        assertThat(cut.sure().take(9)).isEmpty();
    }

    /** The next message stays in the queue. */
    public void popOfOne() {
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

    /** The repetition returns the claimed messages, and counts no further delivery. */
    public void reserve() {
        cut.each("claim", () -> {
            stock();
            ClaimRequest request = claiming(2);
            return () -> {
                List<StoredMessage> held = CutLink.answered(
                                () -> got(cut.raw().store().claim(request)))
                        .messages();
                assertThat(held).extracting(message -> message.payload().text()).containsExactly("a", "b");
                assertThat(held).allMatch(message -> message.tries() == 0);
                held.forEach(this::ackedElsewhere);
            };
        });
        assertThat(cut.sure().take(9)).isEmpty();
    }

    /** A message that is gone at the repetition was removed by the first call, and the engine treats it as acked. */
    public void ack() {
        eachHeld("ack", held -> {
            SettleRequest request = acking(held);
            assertThat(CutLink.answered(() -> got(cut.raw().store().ack(request)))
                            .outcomes())
                    .doesNotContain(Outcome.STALE);
            assertThat(cut.sure().claim(9).messages()).isEmpty();
        });
    }

    /** The receipt is still valid afterwards. */
    public void extend() {
        eachHeld("extend", held -> {
            ExtendRequest request = ExtendRequest.builder()
                    .receipts(List.of(receipt(held)))
                    .leaseMillis(60_000)
                    .token(token())
                    .build();
            done(() -> got(cut.raw().store().extend(request)));
            ackedElsewhere(held);
        });
    }

    /** Takes effect and counts once. A repetition does not affect the next holder. */
    public void giveBack() {
        eachHeld("retry", held -> givenBack(held, Due.in(0), true));
        eachHeld("release", held -> givenBack(held, null, false));
    }

    private void givenBack(StoredMessage held, @Nullable Due due, boolean counted) {
        ReleaseRequest request = ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(receipt(held), due, counted)))
                .token(token())
                .build();
        done(() -> got(cut.raw().store().release(request)));
        List<StoredMessage> again = cut.sure().claim(2).messages();
        assertThat(again).extracting(StoredMessage::id).containsExactly(held.id());
        assertThat(again.get(0).tries()).isEqualTo(counted ? 1 : 0);
        done(() -> got(cut.raw().store().release(request)));
        ackedElsewhere(again.get(0));
    }

    /** The message arrives once, with its headers. */
    public void move() {
        QueueStore dead = cut.sure().queue("dead");
        eachHeld("move", held -> {
            MoveRequest request = MoveRequest.builder()
                    .items(List.of(MoveItem.builder()
                            .receipt(receipt(held))
                            .toQueue("dead")
                            .due(Due.in(0))
                            .addHeaders(Headers.fromStored(Map.of(Headers.DL_FROM_QUEUE, "orders")))
                            .build()))
                    .token(token())
                    .build();
            done(() -> got(cut.raw().store().move(request)));
            List<StoredMessage> moved = got(dead.take(claiming(9))).messages();
            assertThat(moved).extracting(StoredMessage::id).containsExactly(held.id());
            assertThat(moved.get(0).headers().get(Headers.DL_FROM_QUEUE)).isEqualTo("orders");
            assertThat(CutLink.answered(() -> got(cut.raw().store().move(request)))
                            .outcomes())
                    .doesNotContain(Outcome.STALE);
            assertThat(got(dead.take(claiming(9))).messages()).isEmpty();
        });
    }
}

package dev.jono.backend.mongo;

import static dev.jono.backend.mongo.Raw.claiming;
import static dev.jono.backend.mongo.Raw.got;
import static dev.jono.backend.mongo.Raw.inserting;
import static dev.jono.backend.mongo.Raw.message;
import static dev.jono.backend.mongo.Raw.receipt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoException;
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
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The network between a client and the primary is cut while a reply is on its way, at several places of it: a call that is
 * then repeated under the same token takes effect once.
 */
@Tag("fault")
class CutRepliesTest {
    /** The first byte of the replies to a call, and some behind it. */
    private static final List<Double> PARTS = List.of(0.0, 0.3, 0.6, 0.9);

    private static MongoReplicaSet set;

    @BeforeAll
    static void start() {
        set = MongoReplicaSet.start(1);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    /** A client whose network can be cut, and one whose cannot. */
    private record Cut(TcpProxy proxy, Raw raw, Raw sure) implements AutoCloseable {
        static Cut open(String backend) {
            MongoServer primary = set.awaitPrimary();
            TcpProxy proxy = TcpProxy.to(primary.host(), primary.port());
            String database = Fixture.database();
            String options = "jono.one-database=true";
            // Found through the set it would be reached without the proxy.
            String through = "mongodb://127.0.0.1:" + proxy.port() + "/" + database + "?directConnection=true";
            return new Cut(
                    proxy,
                    new Raw(Fixture.url(backend, through, options)),
                    new Raw(Fixture.url(backend, set.uri(database), options)));
        }

        /** The call, cut off at each of the parts of its replies and then repeated until it is answered. */
        void each(String what, Supplier<Runnable> prepared) {
            prepared.get().run(); // which also creates what the queue needs
            Runnable measured = prepared.get();
            long before = proxy.replyBytes();
            measured.run();
            long whole = proxy.replyBytes() - before;
            for (double part : PARTS) {
                Runnable call = prepared.get();
                long cuts = proxy.cuts();
                proxy.cutReplyAfter((long) (whole * part));
                call.run();
                assertThat(proxy.cuts()).as("cuts of %s at %s", what, part).isGreaterThan(cuts);
            }
        }

        /** Repeats a call as the engine does, under the same token. */
        static <R> R answered(Supplier<R> call) {
            List<R> answers = new ArrayList<>();
            Awaitility.await("an answer")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(20))
                    .ignoreExceptionsInstanceOf(JonoException.class)
                    .until(() -> answers.add(call.get()));
            return answers.get(0);
        }

        StoredMessage claimed() {
            sure.insert("x");
            sure.insert("y");
            List<StoredMessage> messages = raw.claim(2).messages();
            assertThat(messages).hasSize(2);
            assertThat(got(sure.store.ack(Raw.acking(messages.get(1)))).outcomes())
                    .containsExactly(Outcome.DONE);
            return messages.get(0);
        }

        @Override
        public void close() {
            raw.close();
            sure.close();
            proxy.close();
        }
    }

    private static void done(Supplier<SettleResult> call) {
        assertThat(Cut.answered(call).outcomes()).containsExactly(Outcome.DONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void pushIsStoredOnceAlsoWhenItIsConsumedMeanwhile(String backend) {
        try (Cut cut = Cut.open(backend)) {
            cut.each("insert", () -> () -> {
                InsertRequest request = inserting(message("a"), message("b"));
                assertThat(Cut.answered(() -> got(cut.raw.store.insert(request)))
                                .items())
                        .extracting(InsertResult.Item::failure)
                        .containsOnlyNulls();
                assertThat(cut.sure.take(9)).containsExactly("a", "b");
                got(cut.raw.store.insert(request));
                assertThat(cut.sure.take(9)).isEmpty();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void popAndReserveFindWhatTheyHadTaken(String backend) {
        try (Cut cut = Cut.open(backend)) {
            Supplier<ClaimRequest> stocked = () -> {
                cut.sure.insert("a");
                cut.sure.insert("b");
                return claiming(2);
            };
            cut.each("take", () -> {
                ClaimRequest request = stocked.get();
                return () -> assertThat(Cut.answered(() -> got(cut.raw.store.take(request)))
                                .messages())
                        .extracting(m -> m.payload().text())
                        .containsExactly("a", "b");
            });
            assertThat(cut.sure.take(9)).isEmpty();
            cut.each("claim", () -> {
                ClaimRequest request = stocked.get();
                return () -> {
                    List<StoredMessage> held = Cut.answered(() -> got(cut.raw.store.claim(request)))
                            .messages();
                    assertThat(held).extracting(m -> m.payload().text()).containsExactly("a", "b");
                    assertThat(held).allMatch(m -> m.tries() == 0);
                    held.forEach(m -> assertThat(
                                    got(cut.sure.store.ack(Raw.acking(m))).outcomes())
                            .containsExactly(Outcome.DONE));
                };
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void endOfAReservationIsDoneOnce(String backend) {
        try (Cut cut = Cut.open(backend)) {
            cut.each("ack", () -> {
                StoredMessage held = cut.claimed();
                SettleRequest request = Raw.acking(held);
                return () -> {
                    // One that is gone at a repeat was removed by the call before: so the engine takes it.
                    assertThat(Cut.answered(() -> got(cut.raw.store.ack(request)))
                                    .outcomes())
                            .doesNotContain(Outcome.STALE);
                    assertThat(cut.sure.claim(9).messages()).isEmpty();
                };
            });
            cut.each("extend", () -> {
                StoredMessage held = cut.claimed();
                ExtendRequest request = ExtendRequest.builder()
                        .receipts(List.of(receipt(held)))
                        .leaseMillis(60_000)
                        .token(UUID.randomUUID().toString())
                        .build();
                return () -> {
                    done(() -> got(cut.raw.store.extend(request)));
                    assertThat(got(cut.sure.store.ack(Raw.acking(held))).outcomes())
                            .containsExactly(Outcome.DONE);
                };
            });
            cut.each("release", () -> {
                StoredMessage held = cut.claimed();
                ReleaseRequest request = ReleaseRequest.builder()
                        .items(List.of(ReleaseRequest.Item.of(receipt(held), Due.in(0), true)))
                        .token(UUID.randomUUID().toString())
                        .build();
                return () -> {
                    done(() -> got(cut.raw.store.release(request)));
                    StoredMessage again = cut.sure.claim(2).messages().get(0);
                    assertThat(again.tries()).isEqualTo(1);
                    assertThat(got(cut.sure.store.ack(Raw.acking(again))).outcomes())
                            .containsExactly(Outcome.DONE);
                };
            });
            assertThat(cut.sure.take(9)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void moveArrivesOnce(String backend) {
        try (Cut cut = Cut.open(backend)) {
            QueueStore there = cut.sure.queue("there");
            cut.each("move", () -> {
                StoredMessage held = cut.claimed();
                MoveRequest request = MoveRequest.builder()
                        .items(List.of(MoveItem.builder()
                                .receipt(receipt(held))
                                .toQueue("there")
                                .due(Due.in(0))
                                .build()))
                        .token(UUID.randomUUID().toString())
                        .build();
                return () -> {
                    done(() -> got(cut.raw.store.move(request)));
                    assertThat(got(there.take(claiming(9))).messages())
                            .extracting(StoredMessage::id)
                            .containsExactly(held.id());
                    assertThat(cut.sure.take(9)).isEmpty();
                };
            });
        }
    }
}

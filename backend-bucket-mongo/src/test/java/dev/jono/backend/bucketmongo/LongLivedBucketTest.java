package dev.jono.backend.bucketmongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.message;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.RemoveOutcome;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.testkit.RawBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bucket with one message that is never settled: nothing of the settled messages may stay in it. */
class LongLivedBucketTest {
    private static final int SIZE = 200;
    private static final int ROUNDS = 24;
    private static final int CLAIMED = 8;

    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("bucket-mongo-safe");

    private final Set<String> held = new HashSet<>();

    /** The bucket that was pushed; the other buckets hold messages that have left it. */
    private BsonDocument bucket() {
        List<BsonDocument> all = database.orders().find().into(new ArrayList<>());
        return all.stream()
                .filter(document -> document.getArray(Fields.SLOTS).size() == SIZE)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void leasesOfSettledMessagesDoNotStay() {
        try (RawBackend raw = database.open()) {
            raw.insert(IntStream.range(0, SIZE).mapToObj(i -> message("m" + i)).toArray(NewMessage[]::new));
            int size = bucket().toString().length();
            StoredMessage kept = raw.claim(1).messages().get(0);
            held.add(kept.id());
            for (int round = 0; round < ROUNDS; round++) {
                settle(raw, round);
                assertThat(got(raw.store().extend(extending(kept))).outcomes()).containsExactly(Outcome.DONE);
                assertOnlyExistingMessagesAreHeld(bucket());
            }
            assertThat(bucket().getArray(Fields.HELD)).hasSize(1);
            assertThat(bucket().toString().length()).as("the bucket as text").isLessThan(size + 500);
            assertThat(got(raw.store().ack(acking(kept))).outcomes()).containsExactly(Outcome.DONE);
            got(raw.store().purge());
            assertThat(database.orders().countDocuments()).isZero();
        }
    }

    private static ExtendRequest extending(StoredMessage... messages) {
        return ExtendRequest.builder()
                .receipts(List.of(messages).stream().map(RawBackend::receipt).toList())
                .leaseMillis(30_000)
                .token(token())
                .build();
    }

    /** Claims messages and settles them, in another way in each round. */
    private void settle(RawBackend raw, int round) {
        var store = raw.store();
        boolean brief = round % 6 == 5;
        List<StoredMessage> some = got(store.claim(
                        brief
                                ? ClaimRequest.builder()
                                        .max(CLAIMED)
                                        .leaseMillis(1)
                                        .token(token())
                                        .build()
                                : claiming(CLAIMED)))
                .messages();
        assertThat(some).isNotEmpty();
        for (StoredMessage message : some) {
            if (!brief) {
                got(store.extend(extending(message)));
            }
            switch (round % 6) {
                case 0 -> assertThat(got(store.ack(acking(message))).outcomes()).containsExactly(Outcome.DONE);
                case 1 -> release(raw, ReleaseRequest.Item.of(receipt(message), null, false));
                case 2 -> release(raw, ReleaseRequest.Item.of(receipt(message), Due.in(0), true));
                case 3 -> release(raw, ReleaseRequest.Item.of(receipt(message), Due.in(60_000), true));
                case 4 -> {
                    MoveItem item = MoveItem.builder()
                            .receipt(receipt(message))
                            .toQueue("target")
                            .due(Due.in(0))
                            .build();
                    MoveRequest move = MoveRequest.builder()
                            .items(List.of(item))
                            .token(token())
                            .build();
                    assertThat(got(store.move(move)).outcomes()).containsExactly(Outcome.DONE);
                }
                default -> removeOnceItsLeaseHasEnded(raw, message);
            }
        }
    }

    private static void release(RawBackend raw, ReleaseRequest.Item item) {
        ReleaseRequest request =
                ReleaseRequest.builder().items(List.of(item)).token(token()).build();
        assertThat(got(raw.store().release(request)).outcomes()).containsExactly(Outcome.DONE);
    }

    private static void removeOnceItsLeaseHasEnded(RawBackend raw, StoredMessage message) {
        Awaitility.await("the end of its lease")
                .pollInterval(Duration.ofMillis(5))
                .until(() -> got(raw.store()
                                .remove(RemoveRequest.builder()
                                        .ids(List.of(message.id()))
                                        .token(token())
                                        .build()))
                        .outcomes()
                        .equals(List.of(RemoveOutcome.REMOVED)));
    }

    /** Each slot is in one lease group at most, and only if its message exists and is held. */
    private void assertOnlyExistingMessagesAreHeld(BsonDocument bucket) {
        BitSet seen = new BitSet();
        BsonArray slots = bucket.getArray(Fields.SLOTS);
        for (BsonValue each : bucket.getArray(Fields.HELD)) {
            BsonDocument group = each.asDocument();
            BsonArray ranges = group.getArray("slots");
            BitSet grouped = new BitSet();
            for (int i = 0; i < ranges.size(); i += 2) {
                grouped.set(
                        ranges.get(i).asInt32().getValue(),
                        ranges.get(i + 1).asInt32().getValue());
            }
            assertThat(group.getInt32("n").getValue())
                    .isEqualTo(grouped.cardinality())
                    .isPositive();
            assertThat(seen.intersects(grouped)).as("held twice").isFalse();
            seen.or(grouped);
        }
        String id =
                Objects.requireNonNull(bucket.getObjectId(Fields.ID)).getValue().toHexString();
        seen.stream().forEach(slot -> {
            assertThat(slots.get(slot).isNull()).as("slot %s is gone", slot).isFalse();
            assertThat(held).contains(id + ':' + slot);
        });
        assertThat(bucket.getInt32(Fields.COUNT).getValue())
                .isEqualTo((int) slots.stream().filter(slot -> !slot.isNull()).count());
    }
}

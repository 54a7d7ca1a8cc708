package dev.jono.backend.bucketmongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as it was read, or as a write of this process left it. Immutable and thread-safe; a {@link BucketChange} makes a new
 * state of it.
 *
 * <p>A bucket is in one of four states: free; held by Jono, in {@link LeaseGroup}s of some of its messages; held by keuss, with
 * all its messages; or foreign, a document that is no bucket and counts as one message that cannot be read.
 */
final class Bucket {
    /** Stands for an absent number or date. */
    static final long NONE = Long.MIN_VALUE;

    /** The fields that the condition of a write compares: every write of keuss or Jono changes at least one. */
    static final Set<String> CONDITION_FIELDS = Set.of(Fields.VERSION, Fields.COUNT, Fields.TRIES, Fields.RESERVED);

    private static final Slots.SlotContent FOREIGN = new Slots.SlotContent(
            EncodedPayload.of(PayloadKind.JSON, "null".getBytes(StandardCharsets.US_ASCII)),
            Headers.empty(),
            0,
            null,
            "the document has no array 'b'");

    final BucketId id;
    /** A number that each write of Jono changes. */
    final long version;

    final long count;
    final long reservedMillis;
    final long storedTries;

    final long matureMillis;
    /** The due time of its messages; of held ones, their due time before the claim. */
    final long dueMillis;
    /** Deliveries that all its messages have had. */
    final int tries;
    /** The most deliveries that a message has had in addition. */
    final int mostTries;
    /** The leases of Jono; none if keuss has read the bucket since, because it overrides them. */
    final List<LeaseGroup> groups;
    /** Messages whose lease keuss has overridden: their tries do not count that delivery yet. */
    final BitSet lapsed;
    /** Slots that hold a message. */
    final BitSet live;
    /** The messages; null if they were not read or are not needed any more. */
    final @Nullable Slots slots;

    /** The number of slots. */
    final int size;
    /** The size of the document as read with its messages; otherwise 0. */
    final int bytes;

    private final boolean foreign;
    /** Values of {@link #CONDITION_FIELDS} that are not of the expected type. */
    private final Map<String, BsonValue> unexpectedValues;

    Bucket(BucketId id, State state) {
        this.id = id;
        this.version = state.version;
        this.count = state.count;
        this.reservedMillis = state.reserved;
        this.storedTries = state.tries;
        this.matureMillis = state.mature;
        this.tries = (int) Math.max(0, Math.min(state.tries, Integer.MAX_VALUE - 1));
        this.mostTries = state.mostTries;
        boolean readByKeuss = tries != Math.max(0, state.seen);
        this.groups = readByKeuss ? List.of() : List.copyOf(state.groups);
        this.live = state.live;
        this.lapsed = new BitSet();
        if (readByKeuss) {
            state.groups.forEach(group -> lapsed.or(group.slots()));
            lapsed.and(live);
        }
        long before = state.due != NONE ? state.due : state.free;
        this.dueMillis = !groups.isEmpty()
                ? (state.due == NONE ? state.mature : state.due)
                : readByKeuss && state.reserved != NONE && before != NONE ? before : state.mature;
        this.slots = state.slots;
        this.size = state.size;
        this.bytes = state.bytes;
        this.foreign = state.foreign;
        this.unexpectedValues = state.unexpectedValues;
    }

    /** The values of a bucket that is read or computed. */
    static final class State {
        long version = NONE;
        long count = NONE;
        long reserved = NONE;
        long tries = NONE;
        long seen = NONE;
        long mature = NONE;
        long due = NONE;
        long free = NONE;
        int mostTries;
        List<LeaseGroup> groups = new ArrayList<>();
        BitSet live = new BitSet();

        @Nullable Slots slots;

        int size;
        int bytes;
        boolean foreign;
        final Map<String, BsonValue> unexpectedValues = new HashMap<>();
    }

    /** The condition of a write: neither keuss nor Jono has written the bucket since. */
    BsonDocument unchanged() {
        BsonDocument filter = new BsonDocument(Fields.ID, id.value());
        filter.put(Fields.VERSION, version == NONE ? BsonNull.VALUE : new BsonInt64(version));
        filter.put(Fields.COUNT, count == NONE ? BsonNull.VALUE : new BsonInt64(count));
        filter.put(Fields.TRIES, storedTries == NONE ? BsonNull.VALUE : new BsonInt64(storedTries));
        filter.put(Fields.RESERVED, reservedMillis == NONE ? BsonNull.VALUE : new BsonDateTime(reservedMillis));
        unexpectedValues.forEach((name, value) -> filter.put(name, Fields.doc("$eq", value)));
        if (foreign) {
            filter.put(Fields.SLOTS, Fields.doc("$not", Fields.doc("$type", new BsonInt32(4))));
        }
        return filter;
    }

    /** Whether the document has a number of tries, readable or not. */
    boolean hasTries() {
        return storedTries != NONE || unexpectedValues.containsKey(Fields.TRIES);
    }

    /** The same bucket without its messages. */
    Bucket withoutMessages() {
        return slots == null ? this : new Bucket(this);
    }

    private Bucket(Bucket other) {
        this.id = other.id;
        this.version = other.version;
        this.count = other.count;
        this.reservedMillis = other.reservedMillis;
        this.storedTries = other.storedTries;
        this.matureMillis = other.matureMillis;
        this.dueMillis = other.dueMillis;
        this.tries = other.tries;
        this.mostTries = other.mostTries;
        this.groups = other.groups;
        this.lapsed = other.lapsed;
        this.live = other.live;
        this.slots = null;
        this.size = other.size;
        this.bytes = other.bytes;
        this.foreign = other.foreign;
        this.unexpectedValues = other.unexpectedValues;
    }

    /** Whether keuss holds the bucket. */
    boolean heldByKeuss(long nowMillis) {
        return groups.isEmpty() && reservedMillis != NONE && matureMillis > nowMillis;
    }

    /** Whether keuss has reserved the bucket and not settled it; the reservation may have expired. */
    private boolean hasExpiredKeussLease() {
        return groups.isEmpty() && reservedMillis != NONE;
    }

    /** Messages under a lease of Jono that has not ended. */
    BitSet held(long nowMillis) {
        BitSet held = new BitSet();
        for (LeaseGroup group : groups) {
            if (!group.hasEnded(nowMillis)) {
                held.or(group.slots());
            }
        }
        return held;
    }

    /** Messages that are not held, due or not. */
    BitSet unheld(long nowMillis) {
        if (heldByKeuss(nowMillis)) {
            return new BitSet();
        }
        BitSet left = (BitSet) live.clone();
        left.andNot(held(nowMillis));
        return left;
    }

    /** Messages that can be claimed now. */
    BitSet claimable(long nowMillis) {
        return dueMillis == NONE || dueMillis > nowMillis || (groups.isEmpty() && matureMillis > nowMillis)
                ? new BitSet()
                : unheld(nowMillis);
    }

    /** The lease group of a claim that holds a slot; null if the claim does not hold it. */
    @Nullable LeaseGroup group(long token, int slot) {
        for (LeaseGroup group : groups) {
            if (group.token() == token && group.slots().get(slot)) {
                return group;
            }
        }
        return null;
    }

    /** Whether an unheld message was held by a lease that has expired. */
    boolean expired(int slot) {
        return hasExpiredKeussLease() || uncounted(slot);
    }

    /** Whether a message has had a delivery that its tries do not count: it is or was under a lease that no step has ended. */
    boolean uncounted(int slot) {
        if (lapsed.get(slot)) {
            return true;
        }
        for (LeaseGroup group : groups) {
            if (group.slots().get(slot)) {
                return true;
            }
        }
        return false;
    }

    Slots.SlotContent slot(int index) {
        if (foreign) {
            return FOREIGN;
        }
        if (slots == null) {
            throw new IllegalStateException("the messages of bucket " + id + " were not read");
        }
        return slots.read(index);
    }

    /** Whether a slot holds a bare payload, without the wrapper that has room for headers, as keuss once wrote it. */
    boolean bare(int index) {
        return slots != null && slots.bare(index);
    }

    /** A slot as a document. */
    RawBsonDocument document(int index) {
        if (slots == null) {
            throw new IllegalStateException("the messages of bucket " + id + " were not read");
        }
        return slots.document(index);
    }

    /** The size of a slot in the document. */
    int bytes(int index) {
        return slots == null ? 0 : slots.bytes(index);
    }

    /** Whether its messages can be decoded. */
    boolean hasMessages() {
        return foreign || slots != null;
    }

    boolean isForeign() {
        return foreign;
    }

    /** The id of a message; its slot must be read. */
    String idOf(int index, Slots.SlotContent slot) {
        return slot.firstId() == null ? id.messageId(index) : slot.firstId();
    }

    /** The message without id, and without what only a claim or browse knows. */
    private StoredMessage.Builder messageWithoutId(Slots.SlotContent slot) {
        return StoredMessage.builder()
                .payload(slot.payload())
                .headers(slot.headers())
                .tries(tries + slot.tries())
                .dueMillis(Math.max(0, dueMillis))
                .fault(slot.fault());
    }

    /** The message without what only a claim or browse knows. */
    StoredMessage.Builder message(int index, Slots.SlotContent slot) {
        return messageWithoutId(slot).id(idOf(index, slot));
    }

    /** An unheld message without id; an expired lease counts as a delivery. */
    StoredMessage.Builder unheldMessage(int index, Slots.SlotContent slot) {
        StoredMessage.Builder message = messageWithoutId(slot);
        return uncounted(index) ? message.tries(tries + slot.tries() + 1) : message;
    }
}

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
 * A bucket as it was read, or as a write of this process left it. Immutable; a {@link BucketChange} makes another of it.
 *
 * <p>It is one of four things: free; held by Jono, which holds messages of it in {@link LeaseGroup}s; held by keuss, which
 * holds all of it; or a document that is no bucket, which counts as a single message that cannot be read.
 */
final class Bucket {
    /** In place of a number or date that is not there. */
    static final long NONE = Long.MIN_VALUE;

    /** What the condition of a write names: one of them changes with each write of anybody. */
    static final Set<String> CONDITION_FIELDS = Set.of(Fields.VERSION, Fields.COUNT, Fields.TRIES, Fields.RESERVED);

    private static final Slots.SlotContent FOREIGN = new Slots.SlotContent(
            EncodedPayload.of(PayloadKind.JSON, "null".getBytes(StandardCharsets.US_ASCII)),
            Headers.empty(),
            0,
            null,
            "the document has no array 'b'");

    final BucketId id;
    /** What keuss and Jono change at each write: part of the condition of the next. */
    final long version;

    final long count;
    final long reservedMillis;
    final long storedTries;

    final long matureMillis;
    /** When its messages are due, or were before they were held. */
    final long dueMillis;
    /** Deliveries that all its messages have had. */
    final int tries;
    /** Of the messages that have had more, the most. */
    final int mostTries;
    /** Jono's holders. Those that keuss has disregarded are not here. */
    final List<LeaseGroup> groups;
    /** Messages whose holder keuss has disregarded: a delivery that is not in their tries. */
    final BitSet lapsed;
    /** Slots that hold a message. */
    final BitSet live;
    /** The messages; null if they were not read, or are not needed any more. */
    final @Nullable Slots slots;

    final int size;
    /** What its document had when it was read with its messages; else 0. */
    final int bytes;

    private final boolean foreign;
    /** Of {@link #CONDITION_FIELDS}, what is there and is not of the type that it should be. */
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
        boolean others = tries != Math.max(0, state.seen);
        this.groups = others ? List.of() : List.copyOf(state.groups);
        this.live = state.live;
        this.lapsed = new BitSet();
        if (others) {
            state.groups.forEach(group -> lapsed.or(group.slots()));
            lapsed.and(live);
        }
        long before = state.due != NONE ? state.due : state.free;
        this.dueMillis = !groups.isEmpty()
                ? (state.due == NONE ? state.mature : state.due)
                : others && state.reserved != NONE && before != NONE ? before : state.mature;
        this.slots = state.slots;
        this.size = state.size;
        this.bytes = state.bytes;
        this.foreign = state.foreign;
        this.unexpectedValues = state.unexpectedValues;
    }

    /** Its parts, to be filled in. */
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

    /** The condition of a write: nobody has written it since, neither keuss nor Jono. */
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

    /** Whether it says how often it was delivered, readable or not. */
    boolean hasTries() {
        return storedTries != NONE || unexpectedValues.containsKey(Fields.TRIES);
    }

    /** The same without its messages. */
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

    /** Whether keuss holds it. */
    boolean heldByKeuss(long nowMillis) {
        return groups.isEmpty() && reservedMillis != NONE && matureMillis > nowMillis;
    }

    /** Whether it is left over from a reservation of keuss's that was never settled. */
    private boolean hasExpiredKeussLease() {
        return groups.isEmpty() && reservedMillis != NONE;
    }

    /** Messages under a lease of Jono's that has not ended. */
    BitSet held(long nowMillis) {
        BitSet held = new BitSet();
        for (LeaseGroup group : groups) {
            if (!group.hasEnded(nowMillis)) {
                held.or(group.slots());
            }
        }
        return held;
    }

    /** Messages that nobody holds, whether they are due or not. */
    BitSet unheld(long nowMillis) {
        if (heldByKeuss(nowMillis)) {
            return new BitSet();
        }
        BitSet left = (BitSet) live.clone();
        left.andNot(held(nowMillis));
        return left;
    }

    /** Messages that can be claimed. */
    BitSet claimable(long nowMillis) {
        return dueMillis == NONE || dueMillis > nowMillis || (groups.isEmpty() && matureMillis > nowMillis)
                ? new BitSet()
                : unheld(nowMillis);
    }

    /** The group of a claim that holds a slot; null if it does not. */
    @Nullable LeaseGroup group(long token, int slot) {
        for (LeaseGroup group : groups) {
            if (group.token() == token && group.slots().get(slot)) {
                return group;
            }
        }
        return null;
    }

    /** Whether a message that nobody holds is left over from a lease. */
    boolean expired(int slot) {
        return hasExpiredKeussLease() || uncounted(slot);
    }

    /** Whether it has had a delivery that is not in its tries: in a lease that has ended, if it is not held. */
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

    /** Whether a slot holds a payload by itself, as keuss had it once, or others: there is no place for anything beside it. */
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

    /** What a slot takes of the document. */
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

    /** The id of the message in a slot. */
    String idOf(int index, Slots.SlotContent slot) {
        return slot.firstId() == null ? id.messageId(index) : slot.firstId();
    }

    /** A message, as the engine sees it, without its id, and what only a claim or a browse knows. */
    private StoredMessage.Builder messageWithoutId(Slots.SlotContent slot) {
        return StoredMessage.builder()
                .payload(slot.payload())
                .headers(slot.headers())
                .tries(tries + slot.tries())
                .dueMillis(Math.max(0, dueMillis))
                .fault(slot.fault());
    }

    /** A message, as the engine sees it, without what only a claim or a browse knows. */
    StoredMessage.Builder message(int index, Slots.SlotContent slot) {
        return messageWithoutId(slot).id(idOf(index, slot));
    }

    /** A message that nobody holds, with the delivery that came to nothing; without its id. */
    StoredMessage.Builder unheldMessage(int index, Slots.SlotContent slot) {
        StoredMessage.Builder message = messageWithoutId(slot);
        return uncounted(index) ? message.tries(tries + slot.tries() + 1) : message;
    }
}

package dev.jono.backend.bucketmongo;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinaryReader;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.io.ByteBufferBsonInput;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as it was read, or as a write of this process left it. Immutable; a {@link Draft} makes another of it.
 *
 * <p>It is one of four things: free; held by Jono, which holds messages of it in {@link Group}s; held by keuss, which
 * holds all of it; or a document that is no bucket, which counts as a single message that cannot be read.
 */
final class Bucket {
    /** In place of a number or date that is not there. */
    static final long NONE = Long.MIN_VALUE;

    /** The field in which a query returns which slots hold a message, 1 or 0 each, in place of the slots. */
    private static final String LIVE = "jono_live";

    private static final Slots.Slot FOREIGN = new Slots.Slot(
            EncodedPayload.of(PayloadKind.JSON, "null".getBytes(StandardCharsets.US_ASCII)),
            Headers.empty(),
            0,
            null,
            "the document has no array 'b'");

    final Place.Id id;
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
    final List<Group> groups;
    /** Messages whose holder keuss has disregarded: a delivery that is not in their tries. */
    final BitSet lapsed;
    /** Slots that hold a message. */
    final BitSet live;
    /** The messages; null if they were not read, or are not needed any more. */
    final @Nullable Slots slots;

    final int size;
    private final boolean foreign;

    Bucket(Place.Id id, State state) {
        this.id = id;
        this.version = state.version;
        this.count = state.count;
        this.reservedMillis = state.reserved;
        this.storedTries = state.tries;
        this.matureMillis = state.mature;
        this.tries = (int) Math.max(0, Math.min(state.tries, Integer.MAX_VALUE - 1));
        this.mostTries = state.most;
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
        this.foreign = state.foreign;
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
        int most;
        List<Group> groups = new ArrayList<>();
        BitSet live = new BitSet();

        @Nullable Slots slots;

        int size;
        boolean foreign;
    }

    /** What a query asks for where the messages are not needed. */
    static BsonDocument withoutMessages() {
        BsonDocument fields = new BsonDocument();
        for (String name : List.of(
                Fields.MATURE,
                Fields.COUNT,
                Fields.TRIES,
                Fields.RESERVED,
                Fields.VERSION,
                Fields.FREE,
                Fields.DUE,
                Fields.HELD,
                Fields.SEEN,
                Fields.MOST_TRIES)) {
            fields.put(name, Fields.ONE);
        }
        BsonDocument there = Fields.op(
                "$cond", Fields.op("$gt", new org.bson.BsonString("$$this"), BsonNull.VALUE), Fields.ONE, Fields.ZERO);
        BsonDocument array = Fields.op(
                "$cond",
                Fields.doc("$isArray", Fields.field(Fields.SLOTS)),
                Fields.field(Fields.SLOTS),
                new BsonArray(List.of(Fields.ONE)));
        return fields.append(LIVE, Fields.doc("$map", Fields.doc("input", array).append("in", there)));
    }

    static Bucket read(RawBsonDocument document) {
        ByteBuf bytes = document.getByteBuffer();
        State state = new State();
        state.foreign = true;
        BsonValue id = BsonNull.VALUE;
        try (BsonBinaryReader from = new BsonBinaryReader(new ByteBufferBsonInput(bytes))) {
            from.readStartDocument();
            for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
                String name = from.readName();
                if (name.equals(Fields.ID)) {
                    BsonValue there = document.get(Fields.ID);
                    id = there == null ? BsonNull.VALUE : there;
                    from.skipValue();
                } else if (name.equals(Fields.SLOTS) && type == BsonType.ARRAY) {
                    Slots slots = new Slots(bytes.array(), from);
                    state.slots = slots;
                    state.size = slots.size();
                    state.live = slots.live();
                    state.foreign = false;
                } else if (name.equals(LIVE) && type == BsonType.ARRAY) {
                    readLive(from, state);
                } else if (name.equals(Fields.HELD) && type == BsonType.ARRAY) {
                    readGroups(from, state);
                } else {
                    number(state, name, number(from, type));
                }
            }
        }
        if (state.foreign) {
            state.size = 1;
            state.live.set(0);
        }
        for (int i = 0; i < state.groups.size(); i++) {
            state.groups.set(i, state.groups.get(i).only(state.live));
        }
        state.groups.removeIf(group -> group.slots().isEmpty());
        return new Bucket(new Place.Id(id), state);
    }

    private static void readLive(BsonBinaryReader from, State state) {
        from.readStartArray();
        while (from.readBsonType() != BsonType.END_OF_DOCUMENT) {
            state.live.set(state.size++, from.readInt32() == 1);
        }
        from.readEndArray();
        state.foreign = false;
    }

    private static void readGroups(BsonBinaryReader from, State state) {
        from.readStartArray();
        for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
            if (type == BsonType.DOCUMENT) {
                state.groups.add(Group.read(from));
            } else {
                from.skipValue();
            }
        }
        from.readEndArray();
    }

    private static long number(BsonBinaryReader from, BsonType type) {
        return switch (type) {
            case INT32 -> from.readInt32();
            case INT64 -> from.readInt64();
            case DOUBLE -> (long) from.readDouble();
            case DATE_TIME -> from.readDateTime();
            default -> {
                from.skipValue();
                yield NONE;
            }
        };
    }

    private static void number(State state, String name, long value) {
        switch (name) {
            case Fields.VERSION -> state.version = value;
            case Fields.COUNT -> state.count = value;
            case Fields.RESERVED -> state.reserved = value;
            case Fields.TRIES -> state.tries = value;
            case Fields.SEEN -> state.seen = value;
            case Fields.MATURE -> state.mature = value;
            case Fields.DUE -> state.due = value;
            case Fields.FREE -> state.free = value;
            case Fields.MOST_TRIES -> state.most = (int) Math.max(0, Math.min(value, Integer.MAX_VALUE));
            default -> {}
        }
    }

    /** The condition of a write: nobody has written it since, neither keuss nor Jono. */
    BsonDocument asRead() {
        BsonDocument filter = new BsonDocument(Fields.ID, id.value());
        filter.put(Fields.VERSION, version == NONE ? BsonNull.VALUE : new BsonInt64(version));
        filter.put(Fields.COUNT, count == NONE ? BsonNull.VALUE : new BsonInt64(count));
        filter.put(Fields.TRIES, storedTries == NONE ? BsonNull.VALUE : new BsonInt64(storedTries));
        filter.put(Fields.RESERVED, reservedMillis == NONE ? BsonNull.VALUE : new BsonDateTime(reservedMillis));
        if (foreign) {
            filter.put(Fields.SLOTS, Fields.doc("$not", Fields.doc("$type", new BsonInt32(4))));
        }
        return filter;
    }

    /** The same without its messages. */
    Bucket slim() {
        return slots == null ? this : with(null);
    }

    private Bucket with(@Nullable Slots other) {
        State state = new State();
        state.version = version;
        state.count = count;
        state.reserved = reservedMillis;
        state.tries = storedTries;
        state.seen = Math.max(0, storedTries);
        state.mature = matureMillis;
        state.due = dueMillis;
        state.most = mostTries;
        state.groups = new ArrayList<>(groups);
        state.live = live;
        state.slots = other;
        state.size = size;
        state.foreign = foreign;
        return new Bucket(id, state);
    }

    /** Whether keuss holds it. */
    boolean elsewhere(long nowMillis) {
        return groups.isEmpty() && reservedMillis != NONE && matureMillis > nowMillis;
    }

    /** Whether it is left over from a reservation of keuss's that was never settled. */
    private boolean leftOver() {
        return groups.isEmpty() && reservedMillis != NONE;
    }

    /** Messages under a lease of Jono's that has not ended. */
    BitSet held(long nowMillis) {
        BitSet held = new BitSet();
        for (Group group : groups) {
            if (!group.ended(nowMillis)) {
                held.or(group.slots());
            }
        }
        return held;
    }

    /** Messages that nobody holds, whether they are due or not. */
    BitSet unheld(long nowMillis) {
        if (elsewhere(nowMillis)) {
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
    @Nullable Group group(long token, int slot) {
        for (Group group : groups) {
            if (group.token() == token && group.slots().get(slot)) {
                return group;
            }
        }
        return null;
    }

    /** Whether a message that nobody holds is left over from a lease. */
    boolean expired(int slot) {
        return leftOver() || uncounted(slot);
    }

    /** Whether it has had a delivery that is not in its tries: in a lease that has ended, if it is not held. */
    boolean uncounted(int slot) {
        if (lapsed.get(slot)) {
            return true;
        }
        for (Group group : groups) {
            if (group.slots().get(slot)) {
                return true;
            }
        }
        return false;
    }

    Slots.Slot slot(int index) {
        if (foreign) {
            return FOREIGN;
        }
        if (slots == null) {
            throw new IllegalStateException("the messages of bucket " + id + " were not read");
        }
        return slots.read(index);
    }

    /** A slot as a document. */
    RawBsonDocument document(int index) {
        if (slots == null) {
            throw new IllegalStateException("the messages of bucket " + id + " were not read");
        }
        return slots.document(index);
    }

    /** Whether its messages can be decoded. */
    boolean readable() {
        return foreign || slots != null;
    }

    boolean isForeign() {
        return foreign;
    }

    /** The id of the message in a slot. */
    String idOf(int index, Slots.Slot slot) {
        return slot.firstId() == null ? id.message(index) : slot.firstId();
    }

    /** A message, as the engine sees it, without its id, and what only a claim or a browse knows. */
    private StoredMessage.Builder anonymous(Slots.Slot slot) {
        return StoredMessage.builder()
                .payload(slot.payload())
                .headers(slot.headers())
                .tries(tries + slot.tries())
                .dueMillis(Math.max(0, dueMillis))
                .fault(slot.fault());
    }

    /** A message, as the engine sees it, without what only a claim or a browse knows. */
    StoredMessage.Builder message(int index, Slots.Slot slot) {
        return anonymous(slot).id(idOf(index, slot));
    }

    /** A message that nobody holds, with the delivery that came to nothing; without its id. */
    StoredMessage.Builder unheldMessage(int index, Slots.Slot slot) {
        StoredMessage.Builder message = anonymous(slot);
        return uncounted(index) ? message.tries(tries + slot.tries() + 1) : message;
    }
}

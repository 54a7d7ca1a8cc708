package dev.jono.backend.bucketmongo;

import java.util.BitSet;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonType;

/**
 * Messages of one bucket that one call has claimed, or is about to remove, with the same end of their leases.
 *
 * @param token the token of the call, as a number
 * @param endMillis the end of the leases, by the server's clock
 * @param slots the slots; must not be changed
 * @param taken whether the call is a take, which removes the messages next and hands out no receipt
 */
record LeaseGroup(long token, long endMillis, BitSet slots, boolean taken) {
    /** The name of the field that only the group of a take has. */
    static final String TAKEN = "taken";

    private static final String TOKEN = "token";
    private static final String END = "end";
    private static final String COUNT = "n";
    private static final String SLOTS = "slots";

    /** Messages that are claimed. */
    static LeaseGroup claimed(long token, long endMillis, BitSet slots) {
        return new LeaseGroup(token, endMillis, slots, false);
    }

    /** The part of this group within these slots. */
    LeaseGroup within(BitSet selected) {
        BitSet left = (BitSet) slots.clone();
        left.and(selected);
        return new LeaseGroup(token, endMillis, left, taken);
    }

    /** The part of this group outside these slots. */
    LeaseGroup without(BitSet selected) {
        BitSet left = (BitSet) slots.clone();
        left.andNot(selected);
        return new LeaseGroup(token, endMillis, left, taken);
    }

    boolean hasEnded(long nowMillis) {
        return endMillis <= nowMillis;
    }

    /** The stored form: slots are ranges, each as first slot and first slot after the range. */
    BsonDocument document() {
        BsonArray ranges = new BsonArray();
        for (int from = slots.nextSetBit(0); from >= 0; ) {
            int to = slots.nextClearBit(from);
            ranges.add(new BsonInt32(from));
            ranges.add(new BsonInt32(to));
            from = slots.nextSetBit(to);
        }
        BsonDocument document = new BsonDocument(TOKEN, new BsonInt64(token))
                .append(END, Fields.date(endMillis))
                .append(COUNT, new BsonInt32(slots.cardinality()))
                .append(SLOTS, ranges);
        return taken ? document.append(TAKEN, BsonBoolean.TRUE) : document;
    }

    /** An expression: whether the bucket has a group of this token that has not ended by the server's clock. */
    static BsonDocument isActive(long token) {
        BsonDocument sameToken = Fields.op("$eq", new BsonString("$$this." + TOKEN), new BsonInt64(token));
        BsonDocument lasts = Fields.op("$gt", new BsonString("$$this." + END), Fields.NOW);
        // The server may evaluate this although another part of the condition does not match, so the field may be
        // missing.
        BsonDocument groups = Fields.ifNull(Fields.HELD, new BsonArray());
        BsonDocument each = Fields.doc("input", groups).append("in", Fields.op("$and", sameToken, lasts));
        return Fields.doc("$anyElementTrue", new BsonArray(List.of(Fields.doc("$map", each))));
    }

    static BsonArray array(List<LeaseGroup> groups) {
        BsonArray array = new BsonArray();
        groups.forEach(group -> array.add(group.document()));
        return array;
    }

    /** Reads a group at which the reader stands. A malformed group has no slots. */
    static LeaseGroup read(BsonReader from) {
        long token = 0;
        long end = 0;
        boolean taken = false;
        BitSet slots = new BitSet();
        from.readStartDocument();
        for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
            String name = from.readName();
            if (name.equals(TOKEN) && type == BsonType.INT64) {
                token = from.readInt64();
            } else if (name.equals(END) && type == BsonType.DATE_TIME) {
                end = from.readDateTime();
            } else if (name.equals(SLOTS) && type == BsonType.ARRAY) {
                readRanges(from, slots);
            } else if (name.equals(TAKEN) && type == BsonType.BOOLEAN) {
                taken = from.readBoolean();
            } else {
                from.skipValue();
            }
        }
        from.readEndDocument();
        return new LeaseGroup(token, end, slots, taken);
    }

    private static void readRanges(BsonReader from, BitSet slots) {
        int first = -1;
        from.readStartArray();
        for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
            if (type != BsonType.INT32) {
                from.skipValue();
                continue;
            }
            int number = Math.max(0, from.readInt32());
            if (first < 0) {
                first = number;
            } else {
                slots.set(first, Math.max(first, number));
                first = -1;
            }
        }
        from.readEndArray();
    }
}

package dev.jono.backend.bucketmongo;

import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonBinaryReader;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.io.ByteBufferBsonInput;

/** Decodes buckets from query results, with or without their messages. Tolerates anything that others store in the collection. */
final class BucketReader {
    /** The field of a query result that replaces the slots: 1 for a slot with a message, 0 for an empty one. */
    private static final String LIVE = "jono_live";

    private BucketReader() {}

    /** The projection of a query that needs no messages. */
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
        BsonDocument hasMessage =
                Fields.op("$cond", Fields.op("$gt", new BsonString("$$this"), BsonNull.VALUE), Fields.ONE, Fields.ZERO);
        BsonDocument array = Fields.op(
                "$cond",
                Fields.doc("$isArray", Fields.field(Fields.SLOTS)),
                Fields.field(Fields.SLOTS),
                new BsonArray(List.of(Fields.ONE)));
        return fields.append(LIVE, Fields.doc("$map", Fields.doc("input", array).append("in", hasMessage)));
    }

    static Bucket read(RawBsonDocument document) {
        ByteBuf bytes = document.getByteBuffer();
        int total = bytes.remaining();
        Bucket.State state = new Bucket.State();
        state.foreign = true;
        BsonValue id = BsonNull.VALUE;
        try (BsonBinaryReader from = new BsonBinaryReader(new ByteBufferBsonInput(bytes))) {
            from.readStartDocument();
            for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
                String name = from.readName();
                if (name.equals(Fields.ID)) {
                    BsonValue value = document.get(Fields.ID);
                    id = value == null ? BsonNull.VALUE : value;
                    from.skipValue();
                } else if (name.equals(Fields.SLOTS) && type == BsonType.ARRAY) {
                    Slots slots = new Slots(bytes.array(), from);
                    state.slots = slots;
                    state.bytes = total;
                    state.size = slots.size();
                    state.live = slots.live();
                    state.foreign = false;
                } else if (name.equals(LIVE) && type == BsonType.ARRAY) {
                    readLive(from, state);
                } else if (name.equals(Fields.HELD) && type == BsonType.ARRAY) {
                    readGroups(from, state);
                } else {
                    number(state, name, number(from, type));
                    if (Bucket.CONDITION_FIELDS.contains(name) && isUnexpected(name, type)) {
                        state.unexpectedValues.put(name, Objects.requireNonNull(document.get(name)));
                    }
                }
            }
        }
        if (state.foreign) {
            state.size = 1;
            state.live.set(0);
        }
        for (int i = 0; i < state.groups.size(); i++) {
            state.groups.set(i, state.groups.get(i).within(state.live));
        }
        state.groups.removeIf(group -> group.slots().isEmpty());
        return new Bucket(new BucketId(id), state);
    }

    private static boolean isUnexpected(String name, BsonType type) {
        return switch (type) {
            case NULL, UNDEFINED -> false;
            case DATE_TIME -> !name.equals(Fields.RESERVED);
            case INT32, INT64 -> name.equals(Fields.RESERVED);
            default -> true;
        };
    }

    private static void readLive(BsonBinaryReader from, Bucket.State state) {
        from.readStartArray();
        while (from.readBsonType() != BsonType.END_OF_DOCUMENT) {
            state.live.set(state.size++, from.readInt32() == 1);
        }
        from.readEndArray();
        state.foreign = false;
    }

    private static void readGroups(BsonBinaryReader from, Bucket.State state) {
        from.readStartArray();
        for (BsonType type = from.readBsonType(); type != BsonType.END_OF_DOCUMENT; type = from.readBsonType()) {
            if (type == BsonType.DOCUMENT) {
                state.groups.add(LeaseGroup.read(from));
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
                yield Bucket.NONE;
            }
        };
    }

    private static void number(Bucket.State state, String name, long value) {
        switch (name) {
            case Fields.VERSION -> state.version = value;
            case Fields.COUNT -> state.count = value;
            case Fields.RESERVED -> state.reserved = value;
            case Fields.TRIES -> state.tries = value;
            case Fields.SEEN -> state.seen = value;
            case Fields.MATURE -> state.mature = value;
            case Fields.DUE -> state.due = value;
            case Fields.FREE -> state.free = value;
            case Fields.MOST_TRIES -> state.mostTries = (int) Math.max(0, Math.min(value, Integer.MAX_VALUE));
            default -> {}
        }
    }
}

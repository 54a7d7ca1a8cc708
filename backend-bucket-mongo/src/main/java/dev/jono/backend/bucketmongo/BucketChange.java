package dev.jono.backend.bucketmongo;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A change of one bucket: computed from the bucket as it was read, and written on the condition that nothing has changed the
 * bucket since. A bucket that becomes empty is deleted. Used by one call, with the bucket's lock. Not thread-safe.
 */
final class BucketChange {
    /** Up to this many slots are emptied one by one; for more, the update builds a new array. */
    private static final int MAX_SINGLE_REMOVALS = 8;

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final Bucket before;
    private final boolean plain;
    private final long version;
    private final BitSet live;
    private final BitSet removed = new BitSet();
    private final Map<Integer, Integer> slotTries = new TreeMap<>();
    private final Map<Integer, BsonValue> filled = new TreeMap<>();
    private List<LeaseGroup> groups;
    private int tries;
    private int mostTries;
    private long dueMillis;
    private long reservedMillis;
    private @Nullable Long requiredLease;

    /**
     * Creates a change that changes nothing yet.
     *
     * @param plain whether the queue is in order of insertion, so that no due time is indexed
     */
    BucketChange(Bucket before, boolean plain, LongSupplier nowMillis) {
        this.before = before;
        this.plain = plain;
        this.version = before.version == Bucket.NONE ? freshVersion() : before.version + 1 + random(1 << 20);
        this.live = (BitSet) before.live.clone();
        this.groups = new ArrayList<>(before.groups);
        this.tries = before.tries;
        this.mostTries = before.mostTries;
        this.dueMillis = before.dueMillis;
        this.reservedMillis = before.groups.isEmpty() ? Bucket.NONE : before.reservedMillis;
        if (!before.lapsed.isEmpty()) {
            // keuss has overridden these leases. An ended lease keeps their delivery counted.
            groups.add(
                    LeaseGroup.claimed(ThreadLocalRandom.current().nextLong(), nowMillis.getAsLong(), before.lapsed));
        }
    }

    /** A random version for a new bucket; very probably none that an earlier bucket of the same id has had. */
    static long freshVersion() {
        return 1 + random(1L << 52);
    }

    private static long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    /** The version that the write sets; random, so that two writes from the same state set different versions. */
    long version() {
        return version;
    }

    /** Leases unheld messages. Counts the delivery of a lease that has expired. */
    void claim(LeaseGroup lease, long nowMillis) {
        BitSet slots = lease.slots();
        BitSet uncounted = new BitSet();
        for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
            if (before.uncounted(i)) {
                uncounted.set(i);
            }
        }
        if (!uncounted.isEmpty() && uncounted.equals(live)) {
            tries++;
        } else {
            for (int i = uncounted.nextSetBit(0); i >= 0; i = uncounted.nextSetBit(i + 1)) {
                int now = before.slot(i).tries() + 1;
                slotTries.put(i, now);
                mostTries = Math.max(mostTries, now);
            }
        }
        endLeases(slots);
        groups.add(lease);
        reservedMillis = nowMillis;
    }

    /** Ends leases; the messages stay. */
    void endLeases(BitSet slots) {
        List<LeaseGroup> left = new ArrayList<>();
        for (LeaseGroup group : groups) {
            LeaseGroup rest = group.slots().intersects(slots) ? group.without(slots) : group;
            if (!rest.slots().isEmpty()) {
                left.add(rest);
            }
        }
        groups = left;
    }

    /** Removes messages. */
    void remove(BitSet slots) {
        endLeases(slots);
        live.andNot(slots);
        removed.or(slots);
    }

    /** Puts a message into an empty slot. */
    void fill(int slot, BsonValue message, int slotTriesOf) {
        live.set(slot);
        filled.put(slot, message);
        mostTries = Math.max(mostTries, slotTriesOf);
    }

    /** Sets the end of leases of one claim. */
    void extend(long token, BitSet slots, long endMillis) {
        endLeases(slots);
        for (LeaseGroup group : groups) {
            if (group.token() == token && group.endMillis() == endMillis) {
                BitSet all = (BitSet) group.slots().clone();
                all.or(slots);
                groups.remove(group);
                groups.add(LeaseGroup.claimed(token, endMillis, all));
                return;
            }
        }
        groups.add(LeaseGroup.claimed(token, endMillis, slots));
    }

    /** Gives the whole bucket another due time; may count one more delivery. */
    void reschedule(long millis, boolean counted) {
        dueMillis = millis;
        tries += counted ? 1 : 0;
    }

    /** Makes the write take effect only while the bucket has an active lease of this token, by the server's clock. */
    void requireLease(long token) {
        requiredLease = token;
    }

    private BsonDocument condition() {
        BsonDocument unchanged = before.unchanged();
        return requiredLease == null ? unchanged : unchanged.append("$expr", LeaseGroup.isActive(requiredLease));
    }

    BitSet live() {
        return live;
    }

    Bucket before() {
        return before;
    }

    /** Whether the bucket becomes empty, so that the write deletes it. */
    boolean deletes() {
        return live.isEmpty();
    }

    private static BitSet union(List<LeaseGroup> groups) {
        BitSet all = new BitSet();
        groups.forEach(group -> all.or(group.slots()));
        return all;
    }

    /** The write, as the driver takes it. */
    WriteModel<RawBsonDocument> model() {
        if (deletes()) {
            return new DeleteOneModel<>(condition());
        }
        BsonDocument set = new BsonDocument(Fields.VERSION, new BsonInt64(version));
        List<String> unset = new ArrayList<>();
        set.put(Fields.COUNT, new BsonInt32(live.cardinality()));
        if (groups.isEmpty()) {
            put(set, unset, Fields.MATURE, dueMillis);
            unset.addAll(List.of(Fields.RESERVED, Fields.LEASE, Fields.DUE, Fields.HELD));
        } else {
            set.put(Fields.MATURE, Fields.date(lastEnd()));
            set.put(Fields.RESERVED, Fields.date(reservedMillis == Bucket.NONE ? lastEnd() : reservedMillis));
            set.put(
                    Fields.LEASE,
                    Fields.date(groups.stream()
                            .mapToLong(LeaseGroup::endMillis)
                            .min()
                            .orElse(0)));
            put(set, unset, Fields.DUE, dueMillis);
            set.put(Fields.HELD, LeaseGroup.array(groups));
        }
        BitSet free = (BitSet) live.clone();
        free.andNot(union(groups));
        put(set, unset, Fields.FREE, free.isEmpty() || plain ? Bucket.NONE : dueMillis);
        if (tries > 0 || before.hasTries()) {
            set.put(Fields.TRIES, new BsonInt32(tries));
            set.put(Fields.SEEN, new BsonInt32(tries));
        }
        if (mostTries > 0) {
            set.put(Fields.MOST_TRIES, new BsonInt32(mostTries));
        }
        boolean newArray = !filled.isEmpty() || (removed.cardinality() > MAX_SINGLE_REMOVALS && slotTries.isEmpty());
        return newArray
                ? new UpdateOneModel<>(condition(), pipeline(set, unset))
                : new UpdateOneModel<>(condition(), modifiers(set, unset));
    }

    private long lastEnd() {
        return groups.stream().mapToLong(LeaseGroup::endMillis).max().orElse(0);
    }

    private static void put(BsonDocument set, List<String> unset, String name, long millis) {
        if (millis == Bucket.NONE) {
            unset.add(name);
        } else {
            set.put(name, Fields.date(millis));
        }
    }

    private BsonDocument modifiers(BsonDocument set, List<String> unset) {
        for (int i = removed.nextSetBit(0); i >= 0; i = removed.nextSetBit(i + 1)) {
            set.put(Fields.SLOTS + '.' + i, BsonNull.VALUE);
        }
        slotTries.forEach((slot, number) -> {
            String name = Fields.SLOTS + '.' + slot;
            if (before.bare(slot)) {
                BsonDocument wrapped = before.document(slot).decode(DOCUMENTS);
                set.put(name, wrapped.append(Fields.SLOT_TRIES, new BsonInt32(number)));
            } else if (!before.isForeign()) {
                set.put(name + '.' + Fields.SLOT_TRIES, new BsonInt32(number));
            }
        });
        BsonDocument gone = new BsonDocument();
        unset.forEach(name -> gone.put(name, BsonBoolean.TRUE));
        BsonDocument update = new BsonDocument("$set", set);
        return gone.isEmpty() ? update : update.append("$unset", gone);
    }

    private List<BsonDocument> pipeline(BsonDocument set, List<String> unset) {
        set.put(Fields.SLOTS, slots());
        List<BsonDocument> stages = new ArrayList<>();
        stages.add(new BsonDocument("$set", set));
        if (!unset.isEmpty()) {
            BsonArray names = new BsonArray();
            unset.forEach(name -> names.add(new BsonString(name)));
            stages.add(new BsonDocument("$unset", names));
        }
        return stages;
    }

    /** An expression of the new array: parts of the stored one, nulls, and the messages put in. */
    private BsonDocument slots() {
        BsonArray parts = new BsonArray();
        for (int from = 0; from < before.size; ) {
            BsonValue message = filled.get(from);
            int to;
            if (message != null) {
                to = from + 1;
                parts.add(new BsonArray(List.of(new BsonDocument("$literal", message))));
            } else if (removed.get(from)) {
                to = from;
                BsonArray nulls = new BsonArray();
                while (to < before.size && removed.get(to) && !filled.containsKey(to)) {
                    nulls.add(BsonNull.VALUE);
                    to++;
                }
                parts.add(nulls);
            } else {
                to = from;
                while (to < before.size && !removed.get(to) && !filled.containsKey(to)) {
                    to++;
                }
                parts.add(
                        Fields.op("$slice", Fields.field(Fields.SLOTS), new BsonInt32(from), new BsonInt32(to - from)));
            }
            from = to;
        }
        return new BsonDocument("$concatArrays", parts);
    }

    /** The bucket as the write leaves it. It keeps the messages as read while they are right and some are unheld. */
    Bucket after() {
        Bucket.State state = new Bucket.State();
        state.version = version;
        state.count = live.cardinality();
        state.reserved = groups.isEmpty() ? Bucket.NONE : reservedMillis == Bucket.NONE ? lastEnd() : reservedMillis;
        state.tries = tries > 0 || before.hasTries() ? tries : Bucket.NONE;
        state.seen = state.tries;
        state.mature = groups.isEmpty() ? dueMillis : lastEnd();
        state.due = groups.isEmpty() ? Bucket.NONE : dueMillis;
        state.mostTries = mostTries;
        state.groups = new ArrayList<>(groups);
        state.live = (BitSet) live.clone();
        BitSet free = (BitSet) live.clone();
        free.andNot(union(groups));
        // The messages as read hold neither changed tries nor filled slots.
        state.slots = slotTries.isEmpty() && filled.isEmpty() && !free.isEmpty() ? before.slots : null;
        state.size = before.size;
        state.bytes = before.bytes;
        state.foreign = before.isForeign();
        return new Bucket(before.id, state);
    }
}

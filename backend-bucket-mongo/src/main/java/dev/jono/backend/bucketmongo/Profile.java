package dev.jono.backend.bucketmongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.Capability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;

/** The two ways to use buckets. */
final class Profile {
    /** {@code bucket-mongo-safe}: with due times and reservations. */
    static final Profile SAFE = new Profile(
            EnumSet.complementOf(EnumSet.of(Capability.HISTORY)),
            List.of(
                    // keuss's own: with other options, or under another name, its processes would fail.
                    index("mature_1", false, Fields.MATURE),
                    // What nobody holds, by its due time; and, as it has no such field, what keuss has written.
                    index("free_1_mature_1", false, Fields.FREE, Fields.MATURE),
                    // Leases of Jono's, by the first end: finds what has expired.
                    index("lease_1", true, Fields.LEASE)));

    /** {@code bucket-mongo}: pop only, in the order of insertion. */
    static final Profile PLAIN = new Profile(
            EnumSet.of(Capability.REMOVE, Capability.DELETE, Capability.BROWSE, Capability.SHARED, Capability.DURABLE),
            List.of());

    private final Set<Capability> capabilities;
    private final List<IndexModel> indexes;

    Profile(Set<Capability> capabilities, List<IndexModel> indexes) {
        this.capabilities = Set.copyOf(capabilities);
        this.indexes = indexes;
    }

    private static IndexModel index(String name, boolean sparse, String... fields) {
        BsonDocument keys = new BsonDocument();
        for (String field : fields) {
            keys.put(field, Fields.ONE);
        }
        IndexOptions options = new IndexOptions().name(name);
        return new IndexModel(keys, sparse ? options.sparse(true) : options);
    }

    /** The most that it can do. */
    Set<Capability> capabilities() {
        return capabilities;
    }

    /** The indexes that its collections need. */
    List<IndexModel> indexes() {
        return indexes;
    }
}

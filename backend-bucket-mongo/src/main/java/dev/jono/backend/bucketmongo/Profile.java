package dev.jono.backend.bucketmongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.Capability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;

/** What a backend type offers, and the indexes that it needs. Immutable. */
final class Profile {
    /** {@code bucket-mongo-safe}: with due times and reservations. */
    static final Profile SAFE = new Profile(
            EnumSet.complementOf(EnumSet.of(
                    Capability.HISTORY,
                    Capability.KEYED,
                    Capability.DEDUPLICATE,
                    Capability.EDIT,
                    Capability.TRANSACTION)),
            List.of(
                    // The index of keuss: its processes fail if it has another name or other options.
                    index("mature_1", false, Fields.MATURE),
                    // Unheld messages by due time; also finds the buckets of keuss, which have no such field.
                    index("free_1_mature_1", false, Fields.FREE, Fields.MATURE),
                    // Leases of Jono by their first end, to find expired ones.
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

    /** The capabilities on a replica set; a standalone server may offer fewer. */
    Set<Capability> capabilities() {
        return capabilities;
    }

    /** The indexes of each collection. */
    List<IndexModel> indexes() {
        return indexes;
    }
}

package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Fields.doc;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.StoredEntry;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * Entries: one document for each, whose {@code _id} is its kind, a colon and its name. So the index of all collections is enough, and
 * its order is that of the names. Blocks the calling thread; thread-safe.
 */
final class Entries {
    private static final String VERSION = "version";
    /** The character behind the colon. */
    private static final char END = ';';

    private final MongoCollection<RawBsonDocument> documents;

    Entries(MongoCollection<RawBsonDocument> documents) {
        this.documents = documents;
    }

    private static BsonDocument ofId(String id) {
        return doc(Fields.ID, new BsonString(id));
    }

    boolean change(EntryChange change) {
        String id = change.kind() + ':' + change.name();
        if (write(id, change)) {
            return true;
        }
        RawBsonDocument stored = documents.find(ofId(id)).first();
        return stored == null
                ? change.document() == null
                : stored.getString(VERSION).getValue().equals(change.version());
    }

    /** Changes the entry if it is as expected; false if it is not. */
    private boolean write(String id, EntryChange change) {
        String document = change.document();
        if (change.expected() == null) {
            return document != null && insert(content(change, document).append(Fields.ID, new BsonString(id)));
        }
        BsonDocument expected = ofId(id).append(VERSION, new BsonString(change.expected()));
        return document == null
                ? documents.deleteOne(expected).getDeletedCount() == 1
                : documents
                                .updateOne(expected, doc("$set", content(change, document)))
                                .getMatchedCount()
                        == 1;
    }

    private static BsonDocument content(EntryChange change, String document) {
        return doc(VERSION, new BsonString(change.version())).append(Fields.DOCUMENT, new BsonString(document));
    }

    private boolean insert(BsonDocument entry) {
        try {
            documents.withDocumentClass(BsonDocument.class).insertOne(entry);
            return true;
        } catch (MongoWriteException refused) {
            if (refused.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
                return false;
            }
            throw refused;
        }
    }

    List<StoredEntry> read(String kind, List<String> names) {
        List<String> ids = names.stream().map(name -> kind + ':' + name).toList();
        return entries(kind, Fields.ofJobs(ids), 0);
    }

    List<StoredEntry> list(String kind, String after, int max) {
        BsonDocument range = doc("$gt", new BsonString(kind + ':' + after)).append("$lt", new BsonString(kind + END));
        return entries(kind, doc(Fields.ID, range), max);
    }

    private List<StoredEntry> entries(String kind, BsonDocument filter, int limit) {
        return documents
                .find(filter)
                .sort(doc(Fields.ID, Fields.ONE))
                .limit(limit)
                .map(stored -> entry(kind, stored))
                .into(new ArrayList<>());
    }

    private static StoredEntry entry(String kind, RawBsonDocument stored) {
        return new StoredEntry(
                stored.getString(Fields.ID).getValue().substring(kind.length() + 1),
                stored.getString(VERSION).getValue(),
                stored.getString(Fields.DOCUMENT).getValue());
    }
}

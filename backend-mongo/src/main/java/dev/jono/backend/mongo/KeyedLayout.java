package dev.jono.backend.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a keyed queue. It has other fields for due times and tokens than a queue without keys, so that
 * processes that do not know of keys find no message. Next to the messages, the collection holds a document for the
 * queue and one for each key: see {@link KeyDocuments}. A blocked message has no due time that a claim could find.
 *
 * @param plain the layout of the same queue without keys
 */
record KeyedLayout(Layouts.Layout plain, int maxPerKey) implements Layouts.Layout {
    private static final IndexModel AT = sparse(Fields.AT);
    private static final IndexModel BLOCKED = sparse(Fields.BLOCKED);
    /** Finds the admitted messages of a key. */
    private static final IndexModel ADMITTED = ofKey(Fields.KEY);
    /** Finds the next blocked message of a key. */
    private static final IndexModel WAITING = ofKey(Fields.BEHIND);

    private static IndexModel sparse(String field) {
        return new IndexModel(
                new BsonDocument(field, new BsonInt32(1)),
                new IndexOptions().name(field + "_1").sparse(true));
    }

    private static IndexModel ofKey(String field) {
        BsonDocument order = new BsonDocument(field, new BsonInt32(1)).append(Fields.SEQUENCE, new BsonInt32(1));
        BsonDocument present = new BsonDocument(field, new BsonDocument("$exists", BsonBoolean.TRUE));
        return new IndexModel(
                order,
                new IndexOptions().name(field + "_1_" + Fields.SEQUENCE + "_1").partialFilterExpression(present));
    }

    @Override
    public String collection() {
        return plain.collection();
    }

    /** Only messages have tries. A process that knows an old setting finds none. */
    @Override
    public BsonDocument live() {
        BsonDocument live = plain.live();
        live.put(Fields.KEYED, new BsonInt32(maxPerKey));
        live.put(Fields.TRIES, Fields.exists(true));
        return live;
    }

    @Override
    public List<IndexModel> indexes() {
        List<IndexModel> indexes = new ArrayList<>(plain.indexes());
        indexes.remove(SimpleLayouts.MATURE);
        indexes.addAll(List.of(AT, BLOCKED, ADMITTED, WAITING));
        return indexes;
    }

    @Override
    public @Nullable String queueField() {
        return null;
    }

    @Override
    public String dueField() {
        return Fields.AT;
    }

    @Override
    public String tokenField() {
        return Fields.CLAIM;
    }

    @Override
    public long historyMillis() {
        return plain.historyMillis();
    }

    @Override
    public boolean holdsHistory() {
        return plain.holdsHistory();
    }
}

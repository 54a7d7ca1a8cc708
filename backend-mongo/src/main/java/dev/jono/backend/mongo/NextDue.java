package dev.jono.backend.mongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.ClaimResult;
import dev.jono.support.mongo.MongoLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Finds out, by the server's clock, how long it takes until queues have a message to hand out. Blocks; thread-safe. */
final class NextDue {
    private final MongoLink link;
    private final QueueCollections collections;

    NextDue(MongoLink link, QueueCollections collections) {
        this.link = link;
        this.collections = collections;
    }

    /** Milliseconds until the next message of one queue can be claimed; {@link ClaimResult#NONE} if it has none. */
    static long millis(QueueCollection queue) {
        BsonDocument fields = Fields.doc(queue.dueField, Fields.ONE).append(StoredDocument.NOW, Fields.NOW);
        RawBsonDocument first = queue.documents
                .find(queue.liveWithDueTime())
                .sort(Fields.doc(queue.dueField, Fields.ONE))
                .projection(fields)
                .first();
        return first == null ? ClaimResult.NONE : millisUntilDue(first, queue.dueField);
    }

    private static long millisUntilDue(BsonDocument document, String dueField) {
        return Math.max(0, Fields.millis(document, dueField) - Fields.millis(document, StoredDocument.NOW));
    }

    /** The same for several queues, with one command; the result leaves out queues that have no message. */
    Map<String, Long> millis(List<String> names, @Nullable String inPipeline) {
        List<BsonDocument> stages = new ArrayList<>();
        QueueCollection first = null;
        for (String name : names) {
            QueueCollection queue = collections.stored(name, inPipeline);
            first = first == null ? queue : first;
            if (stages.isEmpty()) {
                stages.addAll(earliest(queue));
            } else {
                stages.add(Fields.doc(
                        "$unionWith",
                        Fields.doc("coll", new BsonString(queue.layout.collection()))
                                .append("pipeline", new BsonArray(earliest(queue)))));
            }
        }
        MongoCollection<RawBsonDocument> collection = Objects.requireNonNull(first, "a queue").documents;
        return link.call("probe", null, false, () -> {
            Map<String, Long> next = new HashMap<>();
            for (RawBsonDocument found : collection.aggregate(stages)) {
                next.put(found.getString("queue").getValue(), millisUntilDue(found, Fields.MATURE));
            }
            return next;
        });
    }

    private static List<BsonDocument> earliest(QueueCollection queue) {
        String name = queue.queueName;
        BsonDocument shown = Fields.doc(Fields.MATURE, Fields.field(queue.dueField))
                .append(StoredDocument.NOW, Fields.NOW)
                .append("queue", Fields.doc("$literal", new BsonString(name)));
        return List.of(
                Fields.doc("$match", queue.liveWithDueTime()),
                Fields.doc("$sort", Fields.doc(queue.dueField, Fields.ONE)),
                Fields.doc("$limit", Fields.ONE),
                Fields.doc("$project", shown));
    }
}

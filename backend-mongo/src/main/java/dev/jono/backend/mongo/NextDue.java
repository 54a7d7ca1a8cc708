package dev.jono.backend.mongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.MongoLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Finds out, by the server's clock, how long it takes until queues have a message to hand out. Blocks; thread-safe. */
final class NextDue {
    private final MongoLink link;
    private final Layouts layouts;

    NextDue(MongoLink link, Layouts layouts) {
        this.link = link;
        this.layouts = layouts;
    }

    /** Milliseconds until the next message of one queue can be claimed; {@link ClaimResult#NONE} if it has none. */
    static long millis(QueueCollection queue) {
        BsonDocument fields = Fields.doc(Fields.MATURE, Fields.ONE).append(StoredDocument.NOW, Fields.NOW);
        RawBsonDocument first = queue.documents
                .find(queue.liveWithDueTime())
                .sort(Fields.doc(Fields.MATURE, Fields.ONE))
                .projection(fields)
                .first();
        return first == null ? ClaimResult.NONE : millisUntilDue(first);
    }

    private static long millisUntilDue(BsonDocument document) {
        return Math.max(0, Fields.millis(document, Fields.MATURE) - Fields.millis(document, StoredDocument.NOW));
    }

    /** The same for several queues, with one command; the result leaves out queues that have no message. */
    Map<String, Long> millis(List<String> names, @Nullable String inPipeline) {
        List<BsonDocument> stages = new ArrayList<>();
        for (String name : names) {
            Layouts.Layout layout = layout(name, inPipeline);
            if (stages.isEmpty()) {
                stages.addAll(earliest(layout, name));
            } else {
                stages.add(Fields.doc(
                        "$unionWith",
                        Fields.doc("coll", new BsonString(layout.collection()))
                                .append("pipeline", new BsonArray(earliest(layout, name)))));
            }
        }
        MongoCollection<RawBsonDocument> first =
                link.collection(layout(names.get(0), inPipeline).collection());
        return link.call("probe", null, false, () -> {
            Map<String, Long> next = new HashMap<>();
            for (RawBsonDocument found : first.aggregate(stages)) {
                next.put(found.getString("queue").getValue(), millisUntilDue(found));
            }
            return next;
        });
    }

    private Layouts.Layout layout(String name, @Nullable String inPipeline) {
        return layouts.of(QueueSpec.builder().name(name).pipeline(inPipeline).build());
    }

    private static List<BsonDocument> earliest(Layouts.Layout layout, String name) {
        BsonDocument filter = layout.live();
        filter.put(Fields.MATURE, Fields.doc("$type", new BsonString("date")));
        BsonDocument shown = Fields.doc(Fields.MATURE, Fields.ONE)
                .append(StoredDocument.NOW, Fields.NOW)
                .append("queue", Fields.doc("$literal", new BsonString(name)));
        return List.of(
                Fields.doc("$match", filter),
                Fields.doc("$sort", Fields.doc(Fields.MATURE, Fields.ONE)),
                Fields.doc("$limit", Fields.ONE),
                Fields.doc("$project", shown));
    }
}

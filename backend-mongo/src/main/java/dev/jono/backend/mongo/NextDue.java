package dev.jono.backend.mongo;

import com.mongodb.client.MongoCollection;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
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
    private static final int PROBES_PER_COMMAND = 100;

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

    /** The same for many queues. */
    ProbeResult probe(ProbeRequest request) {
        List<String> names = List.copyOf(request.queues());
        Map<String, Long> next = new HashMap<>();
        for (int from = 0; from < names.size(); from += PROBES_PER_COMMAND) {
            List<String> some = names.subList(from, Math.min(names.size(), from + PROBES_PER_COMMAND));
            probe(some, request.pipeline(), next);
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(link.call("probe", null, false, () -> link.time().nowMillis()))
                .build();
    }

    /** Sends one command for all of these queues. */
    private void probe(List<String> names, @Nullable String inPipeline, Map<String, Long> next) {
        List<BsonDocument> stages = new ArrayList<>();
        MongoCollection<RawBsonDocument> first = null;
        for (String name : names) {
            Layouts.Layout layout = layouts.of(
                    QueueSpec.builder().name(name).pipeline(inPipeline).build());
            if (first == null) {
                first = link.collection(layout.collection());
                stages.addAll(earliest(layout, name));
            } else {
                stages.add(Fields.doc(
                        "$unionWith",
                        Fields.doc("coll", new BsonString(layout.collection()))
                                .append("pipeline", new BsonArray(earliest(layout, name)))));
            }
        }
        MongoCollection<RawBsonDocument> collection = first;
        if (collection != null) {
            link.call("probe", null, false, () -> {
                for (RawBsonDocument found : collection.aggregate(stages)) {
                    next.put(found.getString("queue").getValue(), millisUntilDue(found));
                }
                return next;
            });
        }
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

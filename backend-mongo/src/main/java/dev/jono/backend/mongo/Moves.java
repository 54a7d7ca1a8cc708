package dev.jono.backend.mongo;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.EncodedPayload;
import dev.jono.backend.mongo.Settlements.Effect;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.MessageRefusals;
import dev.jono.support.mongo.MovedMessage;
import dev.jono.support.mongo.PayloadWriter;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Moves messages to other queues. If the queues share a collection, a move is one update of the document. A standalone
 * server can do only that, so there it moves within one queue only. Otherwise {@link CollectionMoves} moves the
 * document. Blocks the calling thread; thread-safe.
 */
final class Moves {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
    private final QueueCollection queue;
    private final Settlements settlements;
    private final QueueCollections collections;
    private final CollectionMoves betweenCollections;

    Moves(
            QueueCollection queue,
            Settlements settlements,
            QueueCollections collections,
            CollectionMoves betweenCollections) {
        this.queue = queue;
        this.settlements = settlements;
        this.collections = collections;
        this.betweenCollections = betweenCollections;
    }

    SettleResult move(MoveRequest request) {
        List<MoveItem> items = request.items();
        if (items.isEmpty()) {
            return SettleResult.builder().build();
        }
        List<Receipt> receipts = items.stream().map(MoveItem::receipt).toList();
        List<BsonDocument> payloads = items.stream().map(this::payloadFields).toList();
        SettleResult result = collections.shared() || !queue.transactional()
                ? settlements.settle(
                        "move",
                        request.token(),
                        receipts,
                        item -> items.get(item).toQueue().equals(queue.queueName)
                                ? Effect.ENDS_RESERVATION
                                : Effect.LEAVES_QUEUE,
                        check -> moveInPlace(check, items, payloads))
                : betweenCollections.move(request, receipts, payloads);
        queue.scanStart().reset();
        return result;
    }

    /** The fields of an item's new payload; empty if the message keeps its payload. */
    private BsonDocument payloadFields(MoveItem item) {
        EncodedPayload payload = item.payload();
        if (payload == null) {
            return new BsonDocument();
        }
        String id = item.receipt().id();
        try {
            PayloadWriter to = new PayloadWriter(payload.size() + 64);
            to.writer().writeStartDocument();
            to.payload(Fields.PAYLOAD, payload);
            to.marks();
            to.writer().writeEndDocument();
            DocumentLimit.require("move", queue.queueName, id, to.size());
            return to.document().decode(DOCUMENTS);
        } catch (BsonSerializationException notStorable) {
            throw MessageRefusals.notStorable("move", queue.queueName, id, notStorable.getMessage());
        }
    }

    private long moveInPlace(FenceCheck check, List<MoveItem> items, List<BsonDocument> payloads) {
        requireRoom(check, items, payloads);
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Fence fence = check.fences.get(i);
            if (fence != null) {
                BsonDocument filter = queue.live();
                filter.put(Fields.ID, check.ids.get(i));
                models.add(new UpdateOneModel<>(fence.on(filter, queue.layout), change(items.get(i), payloads.get(i))));
            }
        }
        return queue.write(null, models);
    }

    /** Each stored document has room for some headers. If more is added, the size of the document is queried. */
    private void requireRoom(FenceCheck check, List<MoveItem> items, List<BsonDocument> payloads) {
        for (int i = 0; i < items.size(); i++) {
            int added = size(MovedMessage.headers(items.get(i).addHeaders())) + size(payloads.get(i));
            if (check.fences.get(i) != null && added > DocumentLimit.MARGIN_BYTES / 2) {
                int kept = keptSize(check.ids.get(i), payloads.get(i).isEmpty());
                DocumentLimit.require(
                        "move", queue.queueName, items.get(i).receipt().id(), kept + added);
            }
        }
    }

    /** The size of what a move keeps: the whole document, or its headers if the payload is replaced. */
    private int keptSize(BsonValue id, boolean whole) {
        BsonDocument kept = whole
                ? Fields.doc("$bsonSize", new BsonString("$$ROOT"))
                : Fields.doc("$bsonSize", Fields.doc(Fields.HEADERS, Fields.field(Fields.HEADERS)));
        RawBsonDocument stored =
                RepeatedReads.first(queue.find(null, queue.live(List.of(id))).projection(Fields.doc("size", kept)));
        return stored == null || !stored.isNumber("size")
                ? 0
                : stored.getNumber("size").intValue();
    }

    /** The size of a document as it is stored; 0 if it is empty. */
    static int size(BsonDocument document) {
        return document.isEmpty()
                ? 0
                : new RawBsonDocument(document, DOCUMENTS).getByteBuffer().remaining();
    }

    /**
     * An update pipeline. Its first stage replaces headers that are no document, because no header can be set in those.
     */
    private List<BsonDocument> change(MoveItem item, BsonDocument payload) {
        BsonDocument set = new BsonDocument();
        if (queue.layout.queueField() != null) {
            set.put(Fields.QUEUE, literal(new BsonString(item.toQueue())));
        }
        set.put(Fields.TRIES, new BsonInt32(item.tries()));
        set.put(Fields.RELEASED_BY, Fields.NO_CALL);
        Set<String> unset = new TreeSet<>(leftBehind(queue.layout));
        if (!payload.isEmpty()) {
            unset.addAll(MovedMessage.PAYLOAD_MARKS);
            unset.removeAll(payload.keySet());
            payload.forEach((name, value) -> set.put(name, literal(value)));
        }
        MovedMessage.headers(item.addHeaders())
                .forEach((name, value) -> set.put(Fields.HEADERS + '.' + name, literal(value)));
        for (String name : item.dropHeaders()) {
            if (item.addHeaders().get(name) == null) {
                unset.add(Fields.HEADERS + '.' + name);
            }
        }
        boolean later = item.due().absolute() || item.due().millis() > 0;
        set.put(queue.dueField, later ? Fields.date(queue.dueMillis(item.due())) : Fields.NOW);
        BsonDocument isDocument =
                Fields.op("$eq", Fields.doc("$type", Fields.field(Fields.HEADERS)), new BsonString("object"));
        BsonDocument validHeaders =
                Fields.op("$cond", isDocument, Fields.field(Fields.HEADERS), literal(new BsonDocument()));
        return List.of(
                Fields.doc("$set", Fields.doc(Fields.HEADERS, validHeaders)),
                Fields.doc("$set", set),
                History.unset(unset));
    }

    /** Keeps the server from reading application data as an expression, and from merging documents. */
    private static BsonDocument literal(BsonValue value) {
        return Fields.doc("$literal", value);
    }

    /** The fields of a message that belong to its old queue. */
    static List<String> leftBehind(Layouts.Layout layout) {
        List<String> fields = Fields.reservation(layout);
        fields.add(Fields.EXACT_DUE);
        if (layout.maxPerKey() > 0) {
            fields.add(Fields.KEYED);
            fields.addAll(Fields.PLACE);
        }
        return fields;
    }
}

package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.backend.mongo.Settlements.Effect;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.PayloadWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Moves. Where the queues share a collection, a document is changed where it is: one update; a standalone server can do that
 * within one queue alone. Elsewhere it is written there
 * and removed here, in one transaction.
 */
final class Moves {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
    private static final List<String> OF_RESERVATION = List.of(
            Fields.RESERVED,
            Fields.TOKEN,
            Fields.LEASE,
            Fields.DUE_BEFORE,
            Fields.EXACT_DUE,
            Fields.RELEASED_BY,
            Fields.PREVIOUS_RESERVED,
            Fields.TAKEN);
    private static final List<String> MARKS = List.of("kind", "json");

    private final QueueCollection queue;
    private final Settlements settlements;

    Moves(QueueCollection queue, Settlements settlements) {
        this.queue = queue;
        this.settlements = settlements;
    }

    SettleResult move(MoveRequest request) {
        List<MoveItem> items = request.items();
        boolean here = queue.backend.layouts().oneCollection() || !queue.transactional();
        if (items.stream().anyMatch(item -> !queue.backend.movesAtomically(queue.name, item.toQueue()))) {
            // The engine does not ask for it: it stores there and then acks here.
            throw new UnsupportedCapabilityException(
                    "a move between collections", queue.name, queue.backend.type(), Capability.ATOMIC_MOVE);
        }
        List<Receipt> receipts = items.stream().map(MoveItem::receipt).toList();
        List<BsonDocument> payloads = new ArrayList<>();
        for (MoveItem item : items) {
            EncodedPayload payload = item.payload();
            payloads.add(
                    payload == null
                            ? new BsonDocument()
                            : encoded(payload, item.receipt().id()));
        }
        SettleResult result = here
                ? settlements.settle(
                        "move",
                        request.token(),
                        receipts,
                        item -> items.get(item).toQueue().equals(queue.name) ? Effect.ENDS_RESERVATION : Effect.LEAVES_QUEUE,
                        check -> inPlace(check, items, payloads))
                : across(request, receipts, payloads);
        queue.scanStart().reset();
        return result;
    }

    /** The payload's fields. */
    private BsonDocument encoded(EncodedPayload payload, String id) {
        try {
            PayloadWriter to = new PayloadWriter(payload.size() + 64);
            to.writer().writeStartDocument();
            to.payload(Fields.PAYLOAD, payload);
            to.marks();
            to.writer().writeEndDocument();
            Inserts.requireHoldable("move", queue.name, id, to.size());
            return to.document().decode(DOCUMENTS);
        } catch (BsonSerializationException unholdable) {
            throw Inserts.refused("move", queue.name, id, unholdable.getMessage());
        }
    }

    // ---- one collection ---------------------------------------------------------------------------------------------

    private long inPlace(Settlements.FenceCheck check, List<MoveItem> items, List<BsonDocument> payloads) {
        requireRoom(check, items, payloads);
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            Fence fence = check.fences.get(i);
            if (fence != null) {
                BsonDocument filter = queue.live();
                filter.put(Fields.ID, check.ids.get(i));
                models.add(new UpdateOneModel<>(fence.on(filter), change(items.get(i), payloads.get(i))));
            }
        }
        return queue.write(null, models);
    }

    /** What is stored leaves room for some headers; where more comes, the documents are asked how large they are. */
    private void requireRoom(Settlements.FenceCheck check, List<MoveItem> items, List<BsonDocument> payloads) {
        for (int i = 0; i < items.size(); i++) {
            int headers = size(headers(items.get(i).addHeaders()));
            int payload = size(payloads.get(i));
            if (check.fences.get(i) != null && headers + payload > Inserts.MARGIN / 2) {
                BsonDocument kept = payloads.get(i).isEmpty()
                        ? Fields.doc("$bsonSize", new BsonString("$$ROOT"))
                        : Fields.doc("$bsonSize", Fields.doc(Fields.HEADERS, Fields.field(Fields.HEADERS)));
                RawBsonDocument stored = queue.find(null, queue.live(List.of(check.ids.get(i))))
                        .projection(Fields.doc("size", kept))
                        .first();
                int there = stored == null || !stored.isNumber("size")
                        ? 0
                        : stored.getNumber("size").intValue();
                Inserts.requireHoldable(
                        "move", queue.name, items.get(i).receipt().id(), there + headers + payload);
            }
        }
    }

    private static int size(BsonDocument document) {
        return document.isEmpty()
                ? 0
                : new RawBsonDocument(document, DOCUMENTS).getByteBuffer().remaining();
    }

    /** A pipeline: what something else has written as headers may be no document, and then no header can be set in it. */
    private List<BsonDocument> change(MoveItem item, BsonDocument payload) {
        BsonDocument set = new BsonDocument();
        if (queue.layout.queueField() != null) {
            set.put(Fields.QUEUE, literal(new BsonString(item.toQueue())));
        }
        set.put(Fields.TRIES, new BsonInt32(item.tries()));
        Set<String> gone = new TreeSet<>(OF_RESERVATION);
        if (!payload.isEmpty()) {
            gone.addAll(MARKS);
            gone.removeAll(payload.keySet());
            payload.forEach((name, value) -> set.put(name, literal(value)));
        }
        headers(item.addHeaders()).forEach((name, value) -> set.put(Fields.HEADERS + '.' + name, literal(value)));
        for (String name : item.dropHeaders()) {
            if (item.addHeaders().get(name) == null) {
                gone.add(Fields.HEADERS + '.' + name);
            }
        }
        boolean later = item.due().absolute() || item.due().millis() > 0;
        set.put(Fields.MATURE, later ? Fields.date(dueMillis(item.due())) : Fields.NOW);
        BsonDocument document =
                Fields.op("$eq", Fields.doc("$type", Fields.field(Fields.HEADERS)), new BsonString("object"));
        BsonDocument sound = Fields.op("$cond", document, Fields.field(Fields.HEADERS), literal(new BsonDocument()));
        return List.of(
                Fields.doc("$set", Fields.doc(Fields.HEADERS, sound)),
                Fields.doc("$set", set),
                History.unset(gone.toArray(String[]::new)));
    }

    /** A payload replaces what was there, and is no expression. */
    private static BsonDocument literal(BsonValue value) {
        return Fields.doc("$literal", value);
    }

    private long dueMillis(Due due) {
        return Inserts.matureMillis(queue, due);
    }

    private static BsonDocument headers(Headers headers) {
        PayloadWriter to = new PayloadWriter(128);
        to.writer().writeStartDocument();
        to.headers(Fields.HEADERS, headers);
        to.writer().writeEndDocument();
        return to.document().decode(DOCUMENTS).getDocument(Fields.HEADERS);
    }

    // ---- several collections ----------------------------------------------------------------------------------------

    private SettleResult across(MoveRequest request, List<Receipt> receipts, List<BsonDocument> payloads) {
        Map<String, QueueCollection> targets = new LinkedHashMap<>();
        for (MoveItem item : request.items()) {
            targets.computeIfAbsent(item.toQueue(), name -> queue.backend.target(name));
        }
        // A transaction may not wait for an index to be built.
        targets.values().forEach(target -> target.ensureIndexes("move", true));
        return settlements.settleInTransaction(
                "move",
                request.token(),
                receipts,
                (session, check) -> moved(session, check, request.items(), payloads, targets));
    }

    private void moved(
            ClientSession session,
            Settlements.FenceCheck check,
            List<MoveItem> items,
            List<BsonDocument> payloads,
            Map<String, QueueCollection> targets) {
        List<BsonValue> held = new ArrayList<>();
        check.idsByFence.values().forEach(held::addAll);
        Map<BsonValue, BsonDocument> documents = new HashMap<>();
        queue.find(session, queue.live(held)).forEach(raw -> documents.put(raw.get(Fields.ID), raw.decode(DOCUMENTS)));
        Map<String, List<BsonDocument>> byTarget = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            BsonDocument document = documents.remove(check.ids.get(i));
            if (check.fences.get(i) != null && document != null) {
                apply(document, items.get(i), payloads.get(i));
                Inserts.requireHoldable(
                        "move", queue.name, items.get(i).receipt().id(), size(document));
                byTarget.computeIfAbsent(items.get(i).toQueue(), name -> new ArrayList<>())
                        .add(document);
            }
        }
        // Gone from here, not consumed: no history.
        queue.documents.deleteMany(session, queue.live(held));
        byTarget.forEach((name, list) -> {
            QueueCollection target = targets.get(name);
            if (target != null) {
                store(session, target, list);
            }
        });
    }

    /** A message of an id that is live there is left as it is. */
    private static void store(ClientSession session, QueueCollection target, List<BsonDocument> documents) {
        List<BsonValue> ids = documents.stream().map(d -> d.get(Fields.ID)).toList();
        if (target.layout.holdsHistory()) {
            // One that comes back is a message again, and not what it was before.
            BsonDocument consumed = Fields.doc(Fields.ID, Fields.in(ids)).append(Fields.PROCESSED, Fields.exists(true));
            target.documents.deleteMany(session, consumed);
        }
        Set<BsonValue> there = new HashSet<>();
        target.find(session, Fields.doc(Fields.ID, Fields.in(ids)))
                .projection(Fields.doc(Fields.ID, Fields.ONE))
                .forEach(raw -> there.add(raw.get(Fields.ID)));
        List<BsonDocument> fresh = documents.stream()
                .filter(d -> !there.contains(d.get(Fields.ID)))
                .toList();
        if (!fresh.isEmpty()) {
            target.documents.withDocumentClass(BsonDocument.class).insertMany(session, fresh);
        }
    }

    private void apply(BsonDocument document, MoveItem item, BsonDocument payload) {
        OF_RESERVATION.forEach(document::remove);
        document.put(Fields.MATURE, Fields.date(dueMillis(item.due())));
        document.put(Fields.TRIES, new BsonInt32(item.tries()));
        if (!payload.isEmpty()) {
            MARKS.forEach(document::remove);
            document.putAll(payload);
        }
        BsonValue stored = document.get(Fields.HEADERS);
        BsonDocument headers = stored != null && stored.isDocument() ? stored.asDocument() : new BsonDocument();
        item.dropHeaders().forEach(headers::remove);
        headers.putAll(headers(item.addHeaders()));
        document.put(Fields.HEADERS, headers);
    }
}

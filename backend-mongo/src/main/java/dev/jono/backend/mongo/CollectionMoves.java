package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.spi.Due;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MovedMessage;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages between collections: a message is inserted into the target and deleted here, in one transaction. Blocks
 * the calling thread; thread-safe.
 */
final class CollectionMoves {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final QueueCollection queue;
    private final Settlements settlements;
    private final QueueCollections collections;
    private final Transactions transactions;

    CollectionMoves(QueueCollection queue, Settlements settlements, QueueCollections collections) {
        this.queue = queue;
        this.settlements = settlements;
        this.collections = collections;
        this.transactions = new Transactions(queue.link);
    }

    // ---- reserved messages ------------------------------------------------------------------------------------------

    /** @param payloads by item, the fields of the new payload; empty if the message keeps its payload */
    SettleResult move(MoveRequest request, List<Receipt> receipts, List<BsonDocument> payloads) {
        Map<String, QueueCollection> targets = new LinkedHashMap<>();
        for (MoveItem item : request.items()) {
            targets.computeIfAbsent(item.toQueue(), this::target);
        }
        return settlements.settleInTransaction(
                "move",
                request.token(),
                receipts,
                (session, check) -> moveHeld(session, check, request.items(), payloads, targets));
    }

    /** A target, with its indexes: a transaction must not wait for an index build. */
    private QueueCollection target(String name) {
        QueueCollection target = collections.target(name);
        target.ensureIndexes("move", target.layout.maxPerKey() == 0);
        return target;
    }

    private OptionalLong moveHeld(
            ClientSession session,
            FenceCheck check,
            List<MoveItem> items,
            List<BsonDocument> payloads,
            Map<String, QueueCollection> targets) {
        Map<BsonValue, BsonDocument> documents = read(session, check.held());
        Map<String, List<IncomingMessage>> byTarget = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            MoveItem item = items.get(i);
            BsonDocument document = documents.remove(check.ids.get(i));
            QueueCollection target = targets.get(item.toQueue());
            if (check.fences.get(i) != null && document != null && target != null) {
                MovedMessage.change(document, Fields.HEADERS, item, payloads.get(i));
                byTarget.computeIfAbsent(item.toQueue(), name -> new ArrayList<>())
                        .add(incoming("move", document, target, queue.dueMillis(item.due()), item.tries()));
            }
        }
        // A moved message is not consumed, so it leaves no history.
        queue.documents.deleteMany(session, queue.live(check.held()));
        byTarget.forEach((name, moved) -> {
            QueueCollection target = targets.get(name);
            if (target != null) {
                new TransactionalStore(target, session).add(moved);
            }
        });
        KeyGroups groups = new KeyGroups(queue, session);
        groups.left(check.heldDocuments());
        return groups.promotedMillis();
    }

    private Map<BsonValue, BsonDocument> read(ClientSession session, List<BsonValue> ids) {
        Map<BsonValue, BsonDocument> documents = new HashMap<>();
        readRaw(session, ids).forEach((id, raw) -> documents.put(id, raw.decode(DOCUMENTS)));
        return documents;
    }

    private Map<BsonValue, RawBsonDocument> readRaw(ClientSession session, List<BsonValue> ids) {
        Map<BsonValue, RawBsonDocument> documents = new HashMap<>();
        queue.find(session, queue.live(ids)).forEach(raw -> documents.put(raw.get(Fields.ID), raw));
        return documents;
    }

    /** A document of this queue as a message of the target. */
    private IncomingMessage incoming(
            String step, BsonDocument document, QueueCollection target, long dueMillis, int tries) {
        Moves.leftBehind(queue.layout).forEach(document::remove);
        if (!queue.dueField.equals(target.dueField)) {
            document.remove(queue.dueField);
        }
        document.put(Fields.TRIES, new BsonInt32(tries));
        document.put(Fields.RELEASED_BY, Fields.NO_CALL);
        BsonValue id = Objects.requireNonNull(document.get(Fields.ID));
        int maxPerKey = target.layout.maxPerKey();
        if (maxPerKey == 0) {
            document.put(Fields.MATURE, Fields.date(dueMillis));
        } else {
            Fields.PLACE.forEach(document::remove);
            document.remove(Fields.AT);
            document.remove(Fields.FOLLOWS);
            document.remove(Fields.LEADS);
            document.put(Fields.KEYED, new BsonInt32(maxPerKey));
        }
        DocumentLimit.require(step, queue.queueName, MessageIds.text(id), Moves.size(document));
        return new IncomingMessage(id, new RawBsonDocument(document, DOCUMENTS), key(document), dueMillis, false);
    }

    private static @Nullable String key(BsonDocument message) {
        BsonValue headers = message.get(Fields.HEADERS);
        return headers != null && headers.isDocument() ? KeyGroups.text(headers.asDocument(), Headers.KEY) : null;
    }

    // ---- messages that no consumer holds ----------------------------------------------------------------------------

    List<EditOutcome> moveIdle(
            MoveIdleRequest request, List<BsonValue> ids, RepeatableCalls.Running<List<EditOutcome>> running) {
        QueueCollection target = target(request.toQueue());
        List<EditOutcome> outcomes = transactions.run(
                "moveIdle", queue.queueName, session -> moveIdle(session, request, ids, target), running);
        queue.scanStart().reset();
        target.scanStart().reset();
        return outcomes;
    }

    private List<EditOutcome> moveIdle(
            ClientSession session, MoveIdleRequest request, List<BsonValue> ids, QueueCollection target) {
        IdleDocuments idle = new IdleDocuments(queue, session, ids);
        long now = queue.dueMillis(Due.now());
        List<IncomingMessage> moved = new ArrayList<>();
        Map<BsonValue, RawBsonDocument> documents = readRaw(session, idle.ids());
        for (BsonValue id : idle.ids()) {
            RawBsonDocument raw = documents.get(id);
            if (raw != null) {
                moved.add(idleMessage(request, raw, target, now));
            }
        }
        queue.documents.deleteMany(session, queue.live(idle.ids()));
        new TransactionalStore(target, session).add(moved);
        new KeyGroups(queue, session).left(idle.documents());
        return idle.outcomes();
    }

    private IncomingMessage idleMessage(
            MoveIdleRequest request, RawBsonDocument raw, QueueCollection target, long nowMillis) {
        BsonDocument document = raw.decode(DOCUMENTS);
        MovedMessage.dropHeaders(document, Fields.HEADERS, request.dropHeaders());
        if (!request.keepsTriesAndDue()) {
            return incoming("moveIdle", document, target, nowMillis, 0);
        }
        StoredDocument stored = StoredDocument.read(raw);
        return incoming("moveIdle", document, target, stored.realDueMillis(), stored.tries());
    }
}

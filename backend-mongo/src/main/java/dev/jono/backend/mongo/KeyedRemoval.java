package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * The last step of a take on a keyed queue: removes the messages that it marked, and admits the next ones of their
 * keys, in one transaction. Blocks the calling thread; thread-safe.
 */
final class KeyedRemoval {
    private final QueueCollection queue;
    private final Transactions transactions;

    KeyedRemoval(QueueCollection queue) {
        this.queue = queue;
        this.transactions = new Transactions(queue.link);
    }

    /**
     * Removes messages.
     *
     * @param token the mark
     * @param running gets what a repetition does to find out whether they were removed
     * @return the messages that belong to the caller
     */
    List<StoredMessage> remove(
            long token, List<StoredMessage> marked, RepeatableCalls.Running<List<StoredMessage>> running) {
        return transactions.run("pop", queue.queueName, session -> remove(session, token, marked), running);
    }

    private List<StoredMessage> remove(ClientSession session, long token, List<StoredMessage> marked) {
        BsonDocument filter = queue.live(
                marked.stream().map(message -> MessageIds.value(message.id())).toList());
        filter.put(queue.layout.tokenField(), new BsonInt64(token));
        List<RawBsonDocument> present = queue.find(session, filter)
                .projection(KeyGroups.withPlace(new BsonDocument()))
                .batchSize(marked.size() + 1)
                .into(new ArrayList<>());
        Set<BsonValue> ids = new HashSet<>();
        for (RawBsonDocument message : present) {
            ids.add(message.get(Fields.ID));
        }
        if (!present.isEmpty()) {
            new KeyGroups(queue, session).consume(present);
        }
        return marked.stream()
                .filter(message -> ids.contains(MessageIds.value(message.id())))
                .toList();
    }
}

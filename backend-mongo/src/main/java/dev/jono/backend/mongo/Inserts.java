package dev.jono.backend.mongo;

import dev.jono.EncodingException;
import dev.jono.Tx;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import org.bson.BsonValue;

/** Inserts: stores new messages. Blocks the calling thread; thread-safe. */
final class Inserts {
    private final QueueCollection queue;
    private final TransactionalInserts transactional;

    Inserts(QueueCollection queue) {
        this.queue = queue;
        this.transactional = new TransactionalInserts(queue);
    }

    InsertResult insert(InsertRequest request) {
        if (request.messages().isEmpty()) {
            return InsertResult.builder().build();
        }
        boolean inTransactions = queue.layout.maxPerKey() > 0
                || request.messages().stream().anyMatch(message -> message.unique() != null);
        RepeatableCalls<InsertResult> calls = queue.memory().inserts;
        InsertResult result = calls.run(
                request.token(),
                running -> queue.storing(
                        "push",
                        () -> inTransactions
                                ? transactional.insert(request, running)
                                : batch(request).store(running)));
        if (request.messages().stream().anyMatch(message -> message.due().absolute())) {
            queue.scanStart().reset(); // the message may be due before the start of the next search
        }
        return result;
    }

    /** Stores messages in a transaction of the application. */
    InsertResult insertInto(Tx tx, InsertRequest request) {
        InsertResult result = transactional.insertInto(tx, request);
        // The commit comes later: consumers of all processes search from the beginning once a second.
        queue.scanStart().reset();
        return result;
    }

    private InsertBatch batch(InsertRequest request) {
        // All messages get the same time, so that they are handed out in the order of the list.
        long now = queue.link.time().nowMillis();
        InsertBatch batch = new InsertBatch(queue, now);
        for (NewMessage message : request.messages()) {
            Due due = message.due();
            long mature = due.absolute() || due.millis() > 0 ? queue.dueMillis(due) : now;
            boolean isNew = message.id() == null;
            BsonValue id = isNew ? MessageIds.fresh() : MessageIds.value(String.valueOf(message.id()));
            NewDocument document =
                    new NewDocument(id, mature, null, message.payload(), message.headers(), message.tries(), isNew);
            try {
                var written = document.write(queue, message.id());
                batch.addDocument(batch.add(Item.stored(MessageIds.text(id))), written);
            } catch (EncodingException refused) {
                batch.add(Item.failed(refused));
            }
        }
        return batch;
    }
}

package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import dev.jono.EncodingException;
import dev.jono.Tx;
import dev.jono.UniqueKey;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.support.mongo.JoinedTransactions;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Inserts that change more than the messages: into a keyed queue, or with unique keys. They run in transactions. Blocks
 * the calling thread; thread-safe.
 */
final class TransactionalInserts {
    /** A transaction on a keyed queue meets all others that use one of its keys. */
    private static final int KEYED_PER_TRANSACTION = 100;

    private final QueueCollection queue;
    private final Transactions transactions;
    private final UniqueKeys uniqueKeys;
    private final boolean keyed;

    TransactionalInserts(QueueCollection queue) {
        this.queue = queue;
        this.transactions = new Transactions(queue.link);
        this.uniqueKeys = new UniqueKeys(queue);
        this.keyed = queue.layout.maxPerKey() > 0;
    }

    /** Stores messages, which may have unique keys. */
    InsertResult insert(InsertRequest request, RepeatableCalls.Running<InsertResult> running) {
        ensureUniqueIndexes(request);
        return new Call(request, running).run(0);
    }

    /**
     * Stores messages in a transaction of the application. Creates no indexes of the queue: a collection that is created
     * outside, while the transaction has a snapshot, would end the transaction. A claim creates them.
     */
    InsertResult insertInto(Tx tx, InsertRequest request) {
        ensureUniqueIndexes(request);
        Call call = new Call(request, nothingRepeats -> {});
        List<Item> results = JoinedTransactions.run(
                "push", queue.queueName, tx, session -> store(session, call.pending, /* firstAttempt= */ false));
        call.record(call.pending, results);
        return call.result();
    }

    private void ensureUniqueIndexes(InsertRequest request) {
        if (request.messages().stream().anyMatch(message -> message.unique() != null)) {
            uniqueKeys.ensureIndexes();
        }
    }

    /** One message of a call, and its result. */
    private record Pending(
            int item, IncomingMessage message, @Nullable UniqueKey unique) {}

    /** One call. A repetition continues with the transaction that failed. */
    private final class Call {
        private final long nowMillis;
        private final RepeatableCalls.Running<InsertResult> running;
        private final List<Item> items = new ArrayList<>();
        private final List<Pending> pending = new ArrayList<>();

        Call(InsertRequest request, RepeatableCalls.Running<InsertResult> running) {
            this.nowMillis = queue.link.time().nowMillis();
            this.running = running;
            request.messages().forEach(this::add);
        }

        private void add(NewMessage message) {
            boolean later = message.due().absolute() || message.due().millis() > 0;
            long due = later ? queue.dueMillis(message.due()) : nowMillis;
            boolean fresh = message.id() == null;
            BsonValue id = fresh ? MessageIds.fresh() : MessageIds.value(String.valueOf(message.id()));
            NewDocument document =
                    new NewDocument(id, due, null, message.payload(), message.headers(), message.tries(), fresh);
            try {
                IncomingMessage incoming =
                        new IncomingMessage(id, document.write(queue, message.id()), message.key(), due, fresh);
                pending.add(new Pending(items.size(), incoming, message.unique()));
                items.add(Item.stored(MessageIds.text(id)));
            } catch (EncodingException refused) {
                items.add(Item.failed(refused));
            }
        }

        InsertResult run(int first) {
            int from = first;
            try {
                while (from < pending.size()) {
                    from = transaction(from);
                }
            } catch (RuntimeException failure) {
                throw from == 0 ? failure : MongoErrors.outcomeUnknown("push", queue.queueName, failure);
            }
            return result();
        }

        InsertResult result() {
            return InsertResult.builder().items(items).storageMillis(nowMillis).build();
        }

        private InsertResult repeat(int first) {
            return queue.link.call("push", queue.queueName, true, () -> run(first));
        }

        /** Stores some messages; returns the index of the next one. */
        private int transaction(int from) {
            int to = keyed ? Math.min(pending.size(), from + KEYED_PER_TRANSACTION) : pending.size();
            List<Pending> some = pending.subList(from, to);
            if (from > 0) {
                running.onRepeat(() -> Optional.of(repeat(from))); // what is stored must not be stored again
            }
            AtomicBoolean first = new AtomicBoolean(true);
            List<Item> results = transactions.run(
                    "push",
                    queue.queueName,
                    session -> store(session, some, first.getAndSet(false)),
                    committed -> running.onRepeat(() -> Optional.of(afterCommit(committed.get(), some, from, to))));
            record(some, results);
            return to;
        }

        /** @param stored the results of a transaction whose commit had no answer; empty if it was not done */
        private InsertResult afterCommit(Optional<List<Item>> stored, List<Pending> some, int from, int to) {
            stored.ifPresent(results -> record(some, results));
            return repeat(stored.isPresent() ? to : from);
        }

        private void record(List<Pending> some, List<Item> results) {
            for (int i = 0; i < some.size(); i++) {
                items.set(some.get(i).item(), results.get(i));
            }
        }
    }

    /**
     * Stores some messages.
     *
     * @param firstAttempt whether no attempt has failed: then the unique keys are most likely not remembered, and are
     *     not read
     */
    private List<Item> store(ClientSession session, List<Pending> some, boolean firstAttempt) {
        TransactionalStore store = new TransactionalStore(queue, session);
        TransactionalStore.Found found =
                store.find(some.stream().map(Pending::message).toList());
        Set<BsonValue> present = new HashSet<>(found.live());
        UniqueKeys.Session unique = uniqueKeys(session, some, !firstAttempt);
        List<Item> results = new ArrayList<>();
        List<IncomingMessage> missing = new ArrayList<>();
        for (Pending each : some) {
            String id = MessageIds.text(each.message().id());
            if (present.contains(each.message().id())) {
                results.add(Item.duplicate(id));
                continue;
            }
            String first = each.unique() == null || unique == null
                    ? null
                    : unique.remember(
                            each.unique(), id, queue.link.lastKnownTime().nowMillis());
            if (first != null) {
                results.add(Item.duplicate(first));
            } else {
                present.add(each.message().id());
                missing.add(each.message());
                results.add(Item.stored(id));
            }
        }
        if (unique != null) {
            unique.write();
        }
        store.addMissing(found, missing);
        return results;
    }

    /** @param read whether to read which keys are remembered */
    private UniqueKeys.@Nullable Session uniqueKeys(ClientSession session, List<Pending> some, boolean read) {
        List<BsonDocument> ids = new ArrayList<>();
        for (Pending each : some) {
            UniqueKey unique = each.unique();
            if (unique != null) {
                ids.add(uniqueKeys.id(unique.scope(), unique.key()));
            }
        }
        if (ids.isEmpty()) {
            return null;
        }
        UniqueKeys.Session unique = uniqueKeys.new Session(session);
        if (read) {
            unique.read(ids);
        }
        return unique;
    }
}

package dev.jono.backend.postgres;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadTooLargeException;
import dev.jono.UniqueKey;
import dev.jono.spi.InsertResult;
import dev.jono.spi.InsertResult.Item;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stores messages in a queue, within a transaction that the caller begins and ends: new messages, messages that have an id
 * already, and taken messages that are restored. It neither commits nor sends a signal, so the transaction may be one of the
 * application. Used by one thread, for one call.
 */
final class Inserts {
    /** The protocol limits a message to 1 GiB, and the server holds several copies of a value. */
    static final long MAX_PAYLOAD_BYTES = 256L << 20;

    private final SqlTransaction tx;
    private final String queueName;
    private final Queues.Found queue;
    private final NewRows rows;
    private final UniqueKeys uniqueKeys;

    /** @param queue the queue, found with {@link Queues#findToAdd} in this transaction */
    Inserts(SqlTransaction tx, String queueName, Queues.Found queue) {
        this.tx = tx;
        this.queueName = queueName;
        this.queue = queue;
        this.rows = new NewRows(tx, queue);
        this.uniqueKeys = new UniqueKeys(tx, queue);
    }

    /** Stores messages in the order of the list. Consecutive messages without ids are stored together. */
    InsertResult insert(List<NewMessage> messages) throws SQLException {
        Item[] items = new Item[messages.size()];
        int index = 0;
        while (index < items.length) {
            int to = endOfRun(messages, index);
            if (to > index) {
                insertRun(messages.subList(index, to), Arrays.asList(items).subList(index, to));
                index = to;
            } else {
                items[index] = insertSpecial(messages.get(index));
                index++;
            }
        }
        return result(items);
    }

    private InsertResult result(Item[] items) {
        return InsertResult.builder()
                .items(Arrays.asList(items))
                .storageMillis(queue.nowMillis())
                .build();
    }

    /** The index after the messages, from an index on, that have no id and a payload within the limit. */
    private static int endOfRun(List<NewMessage> messages, int from) {
        int index = from;
        while (index < messages.size()
                && messages.get(index).id() == null
                && messages.get(index).payload().size() <= MAX_PAYLOAD_BYTES) {
            index++;
        }
        return index;
    }

    /** Stores messages without ids. Those with a unique key that is remembered, or that the list repeats, are duplicates. */
    private void insertRun(List<NewMessage> messages, List<Item> items) throws SQLException {
        if (messages.stream().allMatch(message -> message.unique() == null)) {
            List<Long> ids = rows.insert(newRows(messages), MessageRow.NEVER_LEASED);
            for (int i = 0; i < items.size(); i++) {
                items.set(i, Item.stored(Long.toString(ids.get(i))));
            }
            return;
        }
        List<Long> ids = rows.reserveIds(messages.size());
        Map<UniqueKeys.Name, String> wanted = new LinkedHashMap<>();
        Map<UniqueKeys.Name, UniqueKey> keys = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            UniqueKey unique = messages.get(i).unique();
            if (unique != null) {
                UniqueKeys.Name name = uniqueKeys.name(unique.scope(), unique.key());
                wanted.putIfAbsent(name, Long.toString(ids.get(i)));
                keys.putIfAbsent(name, unique);
            }
        }
        Map<UniqueKeys.Name, String> remembered = uniqueKeys.remember(wanted, keys);
        List<NewRow> fresh = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            UniqueKey unique = messages.get(i).unique();
            String id = Long.toString(ids.get(i));
            String first = unique == null
                    ? id
                    : Objects.requireNonNull(remembered.get(uniqueKeys.name(unique.scope(), unique.key())));
            if (first.equals(id)) {
                fresh.add(newRow(messages.get(i)).withId(ids.get(i)));
                items.set(i, Item.stored(id));
            } else {
                items.set(i, Item.duplicate(first));
            }
        }
        rows.insert(fresh, MessageRow.NEVER_LEASED);
    }

    private List<NewRow> newRows(List<NewMessage> messages) {
        return messages.stream().map(this::newRow).toList();
    }

    private NewRow newRow(NewMessage message) {
        return NewRow.of(
                message.due().resolve(queue.nowMillis()),
                message.tries(),
                queue.nowMillis(),
                message.headers(),
                message.payload());
    }

    /** Stores a message that has an id, or is too large. */
    private Item insertSpecial(NewMessage message) throws SQLException {
        String id = message.id();
        if (message.payload().size() > MAX_PAYLOAD_BYTES) {
            return Item.failed(new PayloadTooLargeException(
                    "a payload of " + message.payload().size() + " bytes for queue '" + queueName
                            + "' is over the limit of the backend postgres, " + MAX_PAYLOAD_BYTES + " bytes",
                    queueName,
                    id,
                    null));
        }
        String known = Objects.requireNonNull(id, "a small message without an id belongs to a run");
        UniqueKey unique = message.unique();
        if (unique != null) {
            UniqueKeys.Name name = uniqueKeys.name(unique.scope(), unique.key());
            String first = uniqueKeys
                    .remember(Map.of(name, known), Map.of(name, unique))
                    .get(name);
            if (first != null && !first.equals(known)) {
                return Item.duplicate(first);
            }
        }
        return store(known, newRow(message), false);
    }

    /** Puts back messages that a take has removed. */
    InsertResult restore(List<StoredMessage> messages) throws SQLException {
        Item[] items = new Item[messages.size()];
        for (int i = 0; i < items.length; i++) {
            StoredMessage message = messages.get(i);
            NewRow row = NewRow.of(
                    message.dueMillis(), message.tries(), message.pushedMillis(), message.headers(), message.payload());
            items[i] = store(message.id(), row, true);
        }
        return result(items);
    }

    /** Stores a message under its id, unless the queue has a message of this id. */
    private Item store(String id, NewRow row, boolean restored) throws SQLException {
        boolean stored = new GivenIds(tx, queue, rows).store(id, row, restored);
        return stored ? Item.stored(id) : Item.duplicate(id);
    }

    /**
     * A row to be stored.
     *
     * @param id its row id; null for the next one of the sequence
     */
    record NewRow(
            @Nullable Long id,
            @Nullable String xid,
            long dueMillis,
            int tries,
            long pushedMillis,
            Headers headers,
            EncodedPayload payload) {
        static NewRow of(long dueMillis, int tries, long pushedMillis, Headers headers, EncodedPayload payload) {
            return new NewRow(null, null, dueMillis, tries, pushedMillis, headers, payload);
        }

        NewRow withId(long newId) {
            return new NewRow(newId, null, dueMillis, tries, pushedMillis, headers, payload);
        }

        NewRow withXid(String newXid) {
            return new NewRow(null, newXid, dueMillis, tries, pushedMillis, headers, payload);
        }

        /** The ordering key; null if there is none. */
        @Nullable String key() {
            return headers.string(Headers.KEY);
        }
    }
}

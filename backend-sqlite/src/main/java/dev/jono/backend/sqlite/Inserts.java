package dev.jono.backend.sqlite;

import dev.jono.Headers;
import dev.jono.PayloadTooLargeException;
import dev.jono.UniqueKey;
import dev.jono.spi.HeaderText;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Inserts: stores new messages, messages that have an id already, and taken messages that are restored. */
final class Inserts {
    /** SQLite limits a row to 1,000,000,000 bytes; this leaves room for the other columns. */
    static final long MAX_PAYLOAD_BYTES = 512L << 20;

    private static final ListStatements INSERT = new ListStatements(Sql::insertRows);
    private static final ListStatements INSERT_KEYED = new ListStatements(Sql::insertKeyedRows);

    private final Transaction tx;
    private final QueueView view;
    private final SqliteConnection connection;
    private final long queue;
    private final long now;

    /** Of a keyed queue; null otherwise. */
    private final @Nullable KeyedRows keyed;

    private long earliest = Long.MAX_VALUE;

    private Inserts(Transaction tx, QueueView view) throws SQLException {
        this.tx = tx;
        this.view = view;
        this.connection = tx.connection();
        this.queue = tx.queueId(view.queue());
        this.now = tx.now(view.clock());
        this.keyed = KeyedRows.of(tx, view.queue(), now);
    }

    static InsertResult insert(Transaction tx, QueueView view, InsertRequest request) throws SQLException {
        tx.ensureSpace();
        return new Inserts(tx, view).insert(request.messages(), request.announce());
    }

    private InsertResult insert(List<NewMessage> messages, boolean announce) throws SQLException {
        InsertResult.Item[] items = new InsertResult.Item[messages.size()];
        int index = 0;
        while (index < items.length) {
            int withoutId = countWithoutId(messages, index);
            if (withoutId > 0) {
                insertRun(
                        messages.subList(index, index + withoutId),
                        Arrays.asList(items).subList(index, index + withoutId));
                index += withoutId;
            } else {
                items[index] = insertWithId(messages.get(index));
                index++;
            }
        }
        if (keyed != null) {
            keyed.promote();
        }
        if (announce && earliest != Long.MAX_VALUE) {
            view.announce(tx, earliest);
        }
        return InsertResult.builder()
                .items(Arrays.asList(items))
                .storageMillis(now)
                .build();
    }

    private InsertResult.Item insertWithId(NewMessage message) throws SQLException {
        UniqueKey unique = message.unique();
        if (unique != null) {
            String first =
                    UniqueKeys.find(connection, queue, List.of(unique), now).get(UniqueKeys.name(unique));
            if (first != null) {
                return InsertResult.Item.duplicate(first);
            }
        }
        InsertResult.Item item = insertOne(message);
        if (unique != null && item.id() != null) {
            UniqueKeys.remember(connection, queue, List.of(new UniqueKeys.Pushed(unique, item.id())), now);
        }
        return item;
    }

    private static boolean isPlain(NewMessage message) {
        return message.id() == null && message.payload().size() <= MAX_PAYLOAD_BYTES;
    }

    /** The number of messages, beginning at an index, that have no id and a payload within the limit. */
    private static int countWithoutId(List<NewMessage> messages, int from) {
        int index = from;
        while (index < messages.size() && isPlain(messages.get(index))) {
            index++;
        }
        return index - from;
    }

    /** Inserts messages that have no ids, together. Those with a unique key that is remembered, or that the list repeats, are duplicates. */
    private void insertRun(List<NewMessage> messages, List<InsertResult.Item> items) throws SQLException {
        List<Integer> fresh = new ArrayList<>(messages.size());
        Map<String, Integer> firstOfKey = new HashMap<>();
        Map<Integer, Integer> repeated = new HashMap<>();
        Map<String, String> known = findKnown(messages);
        for (int i = 0; i < messages.size(); i++) {
            UniqueKey unique = messages.get(i).unique();
            String name = unique == null ? null : UniqueKeys.name(unique);
            String first = name == null ? null : known.get(name);
            Integer earlier = name == null ? null : firstOfKey.putIfAbsent(name, i);
            if (first != null) {
                items.set(i, InsertResult.Item.duplicate(first));
            } else if (earlier != null) {
                repeated.put(i, earlier);
            } else {
                fresh.add(i);
            }
        }
        insertWithoutIds(messages, fresh, items);
        List<UniqueKeys.Pushed> keys = new ArrayList<>();
        for (int i : fresh) {
            UniqueKey unique = messages.get(i).unique();
            if (unique != null) {
                keys.add(new UniqueKeys.Pushed(
                        unique, Objects.requireNonNull(items.get(i).id())));
            }
        }
        UniqueKeys.remember(connection, queue, keys, now);
        repeated.forEach((i, first) -> items.set(
                i,
                InsertResult.Item.duplicate(
                        Objects.requireNonNull(items.get(first).id()))));
    }

    private Map<String, String> findKnown(List<NewMessage> messages) throws SQLException {
        List<UniqueKey> keys = messages.stream()
                .map(NewMessage::unique)
                .filter(Objects::nonNull)
                .toList();
        return UniqueKeys.find(connection, queue, keys, now);
    }

    private void insertWithoutIds(List<NewMessage> messages, List<Integer> fresh, List<InsertResult.Item> items)
            throws SQLException {
        KeyRoom room = keyed == null ? null : keyed.room(keys(messages, fresh));
        (keyed == null ? INSERT : INSERT_KEYED).forEachPart(fresh, (sql, part) -> {
            PreparedStatement insert = connection.prepare(sql);
            insert.setLong(1, queue);
            insert.setLong(2, now);
            int parameter = 3;
            for (int at : part) {
                parameter = bind(insert, parameter, messages.get(at));
                if (room != null) {
                    parameter = bindKey(insert, parameter, messages.get(at), room);
                }
            }
            insert.executeUpdate();
            long first = tx.firstInsertedId(part.size());
            for (int i = 0; i < part.size(); i++) {
                items.set(part.get(i), InsertResult.Item.stored(Long.toString(first + i)));
            }
        });
    }

    private static Set<String> keys(List<NewMessage> messages, List<Integer> fresh) {
        Set<String> keys = new LinkedHashSet<>();
        for (int at : fresh) {
            String key = messages.get(at).key();
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    private int bind(PreparedStatement insert, int first, NewMessage message) throws SQLException {
        long due = message.due().resolve(now);
        insert.setLong(first, due);
        insert.setInt(first + 1, message.tries());
        insert.setInt(first + 2, MessageRow.code(message.payload().kind()));
        insert.setString(first + 3, HeaderText.write(message.headers()));
        insert.setBytes(first + 4, message.payload().bytes());
        earliest = Math.min(earliest, due);
        return first + 5;
    }

    private int bindKey(PreparedStatement insert, int first, NewMessage message, KeyRoom room) throws SQLException {
        String key = message.key();
        boolean blocked = key != null && !room.admits(key, message.due().resolve(now));
        insert.setString(first, key);
        insert.setLong(first + 1, blocked ? Sql.BLOCKED : Sql.UNCLAIMED);
        insert.setBoolean(first + 2, key != null && !blocked);
        return first + 3;
    }

    private InsertResult.Item insertOne(NewMessage message) throws SQLException {
        String id = message.id();
        if (message.payload().size() > MAX_PAYLOAD_BYTES) {
            return InsertResult.Item.failed(new PayloadTooLargeException(
                    "a payload of " + message.payload().size() + " bytes for queue '" + view.queue()
                            + "' is over the limit of SQLite files, " + MAX_PAYLOAD_BYTES + " bytes",
                    view.queue(),
                    id,
                    null));
        }
        if (id == null) {
            throw new IllegalStateException("a message without an id must be stored by insertWithoutIds");
        }
        long due = message.due().resolve(now);
        boolean stored = store(
                id,
                due,
                message.tries(),
                MessageRow.code(message.payload().kind()),
                now,
                message.headers(),
                message.payload().bytes());
        if (!stored) {
            return InsertResult.Item.duplicate(id);
        }
        earliest = Math.min(earliest, due);
        return InsertResult.Item.stored(id);
    }

    static InsertResult restore(Transaction tx, QueueView view, RestoreRequest request) throws SQLException {
        return new Inserts(tx, view).restore(request);
    }

    private InsertResult restore(RestoreRequest request) throws SQLException {
        InsertResult.Item[] items = new InsertResult.Item[request.messages().size()];
        for (int i = 0; i < items.length; i++) {
            StoredMessage message = request.messages().get(i);
            boolean stored = store(
                    message.id(),
                    message.dueMillis(),
                    message.tries(),
                    MessageRow.code(message.payload().kind()),
                    message.pushedMillis(),
                    message.headers(),
                    message.payload().bytes());
            items[i] = stored ? InsertResult.Item.stored(message.id()) : InsertResult.Item.duplicate(message.id());
            earliest = Math.min(earliest, message.dueMillis());
        }
        if (keyed != null) {
            keyed.promote();
        }
        if (request.announce() && earliest != Long.MAX_VALUE) {
            view.announce(tx, earliest);
        }
        return InsertResult.builder()
                .items(Arrays.asList(items))
                .storageMillis(now)
                .build();
    }

    /** Stores a message under its id; false if the queue holds a message of this id. */
    private boolean store(String id, long due, int tries, int kind, long pushed, Headers headers, byte[] payload)
            throws SQLException {
        Target place = target(id);
        if (place.taken) {
            return false;
        }
        PreparedStatement insert = connection.prepare(Sql.INSERT_ONE);
        if (place.xid == null) {
            insert.setLong(1, place.row);
        } else {
            insert.setNull(1, Types.INTEGER);
            tx.forgetLastId();
        }
        insert.setLong(2, queue);
        insert.setLong(3, due);
        insert.setInt(4, tries);
        insert.setInt(5, kind);
        insert.setLong(6, pushed);
        insert.setString(7, place.xid);
        insert.setString(8, HeaderText.write(headers));
        insert.setBytes(9, payload);
        if (insert.executeUpdate() == 0) {
            return false;
        }
        if (place.xid == null) {
            PreparedStatement forget = connection.prepare(Sql.FORGET_HISTORY);
            forget.setLong(1, place.row);
            forget.executeUpdate();
        }
        String key = headers.string(Headers.KEY);
        if (keyed != null && key != null) {
            keyed.restored(place.xid == null ? place.row : tx.firstInsertedId(1), key, due);
        }
        return true;
    }

    /** Where a message with an id is stored: in the row that the id names, or in a new row with the id as text. */
    private record Target(long row, @Nullable String xid, boolean taken) {}

    /**
     * The row for an id. An id that this file assigned names its row. Any other id belongs to another storage and is
     * stored as text. An id whose row is used by another queue is stored as text too.
     */
    private Target target(String id) throws SQLException {
        long row = Ids.row(id);
        if (row > 0 && row <= lastId()) {
            long owner = owner(row);
            if (owner == QueueIds.NONE || owner == queue) {
                return new Target(row, null, owner == queue);
            }
        }
        return new Target(0, id, false);
    }

    private long lastId() throws SQLException {
        try (ResultSet rows = connection.prepare(Sql.LAST_ID).executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    private long owner(long row) throws SQLException {
        PreparedStatement owner = connection.prepare(Sql.QUEUE_OF);
        owner.setLong(1, row);
        try (ResultSet rows = owner.executeQuery()) {
            return rows.next() ? rows.getLong(1) : QueueIds.NONE;
        }
    }
}

package dev.jono.backend.postgres;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores moved messages in another queue, or again in their own. Used by one thread, within one transaction. */
final class MoveTarget {
    private static final String HEADS = "SELECT id, xid, headers FROM jono.message WHERE id = ANY (?::bigint[])";
    private static final String TAKEN = "SELECT xid FROM jono.message WHERE queue = ? AND xid = ANY (?::text[])";
    private static final String DELETE = "DELETE FROM jono.message WHERE id = ANY (?::bigint[])";

    /** An unknown kind becomes bytes, so that the dead letter can be read. */
    private static final String MOVE = "UPDATE jono.message m SET queue = ?, state = 0, claim = 0, lease = "
            + MessageRow.LEASED_ELSEWHERE + ", key = NULL,"
            + " due = r.due, tries = r.tries, headers = r.headers, payload = coalesce(r.payload, m.payload),"
            + " kind = coalesce(r.kind, CASE WHEN m.kind BETWEEN 1 AND 3 THEN m.kind ELSE 3 END)"
            + " FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::text[], ?::smallint[], ?::bytea[])"
            + " AS r(id, due, tries, headers, kind, payload) WHERE m.id = r.id";

    /** Makes a message the last of its key: it gets the next row id, and keeps its own as text. */
    private static final String MAKE_LAST = "UPDATE jono.message SET id = nextval('jono.message_id'),"
            + " xid = coalesce(xid, id::text), key = ?, state = ? WHERE id = ?";

    private final SqlTransaction tx;
    private final Queues.Found from;
    private final Queues.Found target;

    /**
     * A target of moves; it is created if it does not exist.
     *
     * @param from the queue that the messages leave
     */
    MoveTarget(SqlTransaction tx, QueueView view, Queues.Found from, String toQueue) throws SQLException {
        this.tx = tx;
        this.from = from;
        this.target = Queues.findToAdd(tx, view, toQueue);
    }

    /** What a move needs to know of a message. */
    record Head(long row, @Nullable String xid, @Nullable String headers) {}

    /**
     * A message as it is after the move.
     *
     * @param payload the new payload; null keeps the stored one
     */
    record Moved(
            Head head,
            long dueMillis,
            int tries,
            @Nullable String headers,
            @Nullable EncodedPayload payload) {}

    static Map<Long, Head> heads(SqlTransaction tx, List<Long> rows) throws SQLException {
        Map<Long, Head> heads = new HashMap<>();
        try (PreparedStatement select = tx.prepare(HEADS)) {
            select.setArray(1, tx.longs(rows));
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    heads.put(found.getLong(1), new Head(found.getLong(1), found.getString(2), found.getString(3)));
                }
            }
        }
        return heads;
    }

    /** Moves messages. One that the target holds under the same id stays as it is, and the moved one is removed. */
    void store(List<Moved> all) throws SQLException {
        Set<String> taken = target.id() == from.id() ? Set.of() : taken(all);
        List<Moved> moved = new ArrayList<>();
        List<Long> removed = new ArrayList<>();
        for (Moved each : all) {
            String xid = each.head.xid();
            if (xid != null && taken.contains(xid)) {
                removed.add(each.head.row());
            } else {
                moved.add(each);
            }
        }
        if (!removed.isEmpty()) {
            try (PreparedStatement delete = tx.prepare(DELETE)) {
                delete.setArray(1, tx.longs(removed));
                delete.executeUpdate();
            }
        }
        update(moved);
        if (target.keyed()) {
            makeLast(moved);
        }
    }

    private Set<String> taken(List<Moved> all) throws SQLException {
        List<String> xids = new ArrayList<>();
        for (Moved each : all) {
            String xid = each.head.xid();
            if (xid != null) {
                xids.add(xid);
            }
        }
        Set<String> taken = new HashSet<>();
        if (!xids.isEmpty()) {
            try (PreparedStatement select = tx.prepare(TAKEN)) {
                select.setInt(1, target.id());
                select.setArray(2, tx.texts(xids));
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        taken.add(rows.getString(1));
                    }
                }
            }
        }
        return taken;
    }

    private void update(List<Moved> moved) throws SQLException {
        if (moved.isEmpty()) {
            return;
        }
        try (PreparedStatement move = tx.prepare(MOVE)) {
            move.setInt(1, target.id());
            move.setArray(
                    2, tx.longs(moved.stream().map(each -> each.head.row()).toList()));
            move.setArray(3, tx.longs(moved.stream().map(Moved::dueMillis).toList()));
            move.setArray(
                    4, tx.array("integer", moved.stream().map(Moved::tries).toArray(Integer[]::new)));
            move.setArray(5, tx.array("text", moved.stream().map(Moved::headers).toArray(String[]::new)));
            move.setArray(
                    6, tx.array("smallint", moved.stream().map(MoveTarget::kind).toArray(Short[]::new)));
            move.setArray(
                    7, tx.array("bytea", moved.stream().map(MoveTarget::bytes).toArray(byte[][]::new)));
            move.executeUpdate();
        }
    }

    private static @Nullable Short kind(Moved moved) {
        EncodedPayload payload = moved.payload;
        return payload == null ? null : (Short) MessageRow.code(payload.kind());
    }

    private static byte @Nullable [] bytes(Moved moved) {
        EncodedPayload payload = moved.payload;
        return payload == null ? null : payload.bytes();
    }

    private void makeLast(List<Moved> moved) throws SQLException {
        Map<Moved, String> withKey = new java.util.LinkedHashMap<>();
        for (Moved each : moved) {
            String key = MessageRow.readable(each.headers).string(Headers.KEY);
            if (key != null) {
                withKey.put(each, key);
            }
        }
        if (withKey.isEmpty()) {
            return;
        }
        OrderingKeys keys = new OrderingKeys(tx, target);
        Set<String> names = new HashSet<>(withKey.values());
        keys.lock(names);
        Map<String, Integer> room = keys.room(names);
        for (Map.Entry<Moved, String> each : withKey.entrySet()) {
            makeLast(
                    each.getKey(),
                    each.getValue(),
                    keys.takesRoom(each.getKey().dueMillis)
                            ? room.merge(each.getValue(), -1, Integer::sum) >= 0
                            : true);
        }
    }

    private void makeLast(Moved moved, String key, boolean admitted) throws SQLException {
        try (PreparedStatement last = tx.prepare(MAKE_LAST)) {
            last.setString(1, key);
            last.setInt(2, admitted ? MessageRow.FREE : MessageRow.BLOCKED);
            last.setLong(3, moved.head.row());
            last.executeUpdate();
        }
    }
}

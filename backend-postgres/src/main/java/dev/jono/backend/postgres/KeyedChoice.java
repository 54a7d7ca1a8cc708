package dev.jono.backend.postgres;

import dev.jono.spi.ClaimRequest;
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

/**
 * Chooses what a claim of a keyed queue leases: the first message of each key, and with it the following ones if the caller
 * takes several of one key. Where several messages of a key may be held, the claims of a key exclude one another, so that no
 * two count the held ones at the same time. Used by one thread, for one call.
 */
final class KeyedChoice {
    /** How often a claim reads further messages, after it has blocked all that it read. */
    private static final int MAX_READS = 20;

    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(?)";
    private static final String COUNT_HELD =
            "SELECT count(*) FROM (SELECT 1 FROM jono.message WHERE queue = ? AND key = ?"
                    + " AND state = 1 LIMIT ?) AS held";
    private static final String BLOCK = "UPDATE jono.message SET state = 2 WHERE id = ANY (?::bigint[])";

    private final SqlTransaction tx;
    private final QueueView view;
    private final Queues.Found queue;
    private final DueMessages due;
    private final ClaimRequest request;
    private final OrderingKeys keys;
    private final List<MessageRow> chosen = new ArrayList<>();
    private final List<MessageRow> blocked = new ArrayList<>();

    /** How many messages of each key may still be chosen; 0 for a key that another claim has locked. */
    private final Map<String, Integer> room = new HashMap<>();

    private boolean others;

    KeyedChoice(SqlTransaction tx, QueueView view, Queues.Found queue, DueMessages due, ClaimRequest request) {
        this.tx = tx;
        this.view = view;
        this.queue = queue;
        this.due = due;
        this.request = request;
        this.keys = new OrderingKeys(tx, queue);
    }

    /** The messages to lease. If all that were read had to be blocked, reads those after them. */
    List<MessageRow> choose() throws SQLException {
        for (int read = 1; read <= MAX_READS; read++) {
            List<MessageRow> rows = due.read(request.max());
            for (MessageRow row : rows) {
                others |= chosen.size() >= request.max() || !add(row);
            }
            if (blocked.isEmpty()) {
                break;
            }
            block();
            if (!chosen.isEmpty()) {
                break;
            }
        }
        isolate();
        return chosen;
    }

    /** Whether there are due messages that were not chosen. */
    boolean others() {
        return others || due.more();
    }

    /** Adds a message, and those that follow it; false if its key allows no more messages to be held. */
    private boolean add(MessageRow row) throws SQLException {
        String key = row.key();
        if (key == null) {
            chosen.add(row);
            return true;
        }
        // A message whose lease has ended still counts as held.
        if (!queue.strict() && !row.isHeld() && !takeRoom(row, key)) {
            return false;
        }
        chosen.add(row);
        if (queue.strict()) {
            if (row.isHeld()) {
                keys.takeBackBehind(row.id(), key);
            }
            addFollowing(row, key);
        }
        return true;
    }

    /** Takes one of the places of a key. A message for which there is none is to be blocked. */
    private boolean takeRoom(MessageRow row, String key) throws SQLException {
        if (!room.containsKey(key)) {
            if (!tryLock(key)) {
                return false;
            }
            room.put(key, queue.maxPerKey() - countHeld(key));
        }
        if (room.merge(key, -1, Integer::sum) >= 0) {
            return true;
        }
        blocked.add(row);
        return false;
    }

    private boolean tryLock(String key) throws SQLException {
        try (PreparedStatement lock = tx.prepare(TRY_LOCK)) {
            lock.setLong(1, view.keyLockNumber(key));
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private int countHeld(String key) throws SQLException {
        try (PreparedStatement count = tx.prepare(COUNT_HELD)) {
            count.setInt(1, queue.id());
            count.setString(2, key);
            count.setInt(3, queue.maxPerKey());
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private void addFollowing(MessageRow first, String key) throws SQLException {
        int max = Math.min(request.maxPerKey() - 1, request.max() - chosen.size());
        if (max <= 0 || needsIsolation(first, request)) {
            return;
        }
        for (MessageRow row : due.following(key, max)) {
            if (row.dueMillis() > queue.nowMillis() || needsIsolation(row, request)) {
                return;
            }
            chosen.add(row);
        }
    }

    private void block() throws SQLException {
        try (PreparedStatement block = tx.prepare(BLOCK)) {
            block.setArray(1, tx.longs(blocked.stream().map(MessageRow::id).toList()));
            block.executeUpdate();
        }
        Set<String> changed = new HashSet<>();
        blocked.forEach(row -> changed.add(String.valueOf(row.key())));
        blocked.clear();
        // A held message may have left since it was counted.
        keys.promote(changed);
    }

    /** Ends the choice before a message that must be alone, or after it if it is the first. */
    private void isolate() {
        for (int i = 0; i < chosen.size(); i++) {
            if (needsIsolation(chosen.get(i), request)) {
                int size = Math.max(i, 1);
                others |= size < chosen.size();
                chosen.subList(size, chosen.size()).clear();
                return;
            }
        }
    }

    static boolean needsIsolation(MessageRow row, ClaimRequest request) {
        return row.tries() >= request.isolateTries() || (row.isHeld() && row.tries() >= request.isolateExpiredTries());
    }
}

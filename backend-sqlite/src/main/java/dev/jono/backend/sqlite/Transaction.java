package dev.jono.backend.sqlite;

import dev.jono.spi.Signal;
import dev.jono.spi.SteadyClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What commands see of the transaction that they run in. It begins with the first command that asks for the
 * connection, so commands that only publish a signal need none. Used by the writer alone.
 */
final class Transaction {
    private static final String LAST_INSERTED = "SELECT last_insert_rowid()";

    private final SqliteConnection connection;
    private final DiskReserve reserve;
    private final Map<String, Long> queueIds = new HashMap<>();
    private final Announcements announcements = new Announcements();
    private boolean begun;
    private boolean beginFailed;
    private boolean shortcutsForbidden;
    private long latestMillis;
    /** The id of the last new message; 0 when it is to be asked for. */
    private long lastId;

    Transaction(SqliteConnection connection, DiskReserve reserve) {
        this.connection = connection;
        this.reserve = reserve;
    }

    /** The connection, in a transaction. */
    SqliteConnection connection() throws SQLException {
        if (!begun) {
            try {
                connection.execute(Sql.BEGIN);
            } catch (SQLException e) {
                beginFailed = true;
                throw e;
            }
            begun = true;
        }
        return connection;
    }

    /** The storage's present. Read behind the begin, so that it is not older than what others stored before. */
    long now(SteadyClock clock) throws SQLException {
        connection();
        long now = clock.millis();
        latestMillis = Math.max(latestMillis, now);
        return now;
    }

    /** The number of a queue; {@link QueueIds#NONE} when nothing was ever stored in it. */
    long findQueueId(String name) throws SQLException {
        Long known = queueIds.get(name);
        if (known != null) {
            return known;
        }
        long id = QueueIds.find(connection(), name);
        if (id != QueueIds.NONE) {
            queueIds.put(name, id);
        }
        return id;
    }

    /** A queue was deleted. */
    void forgetQueueId(String name) {
        queueIds.remove(name);
    }

    /** The number of a queue, which gets one if it has none. */
    long queueId(String name) throws SQLException {
        long id = findQueueId(name);
        if (id == QueueIds.NONE) {
            QueueIds.add(connection(), name);
            id = findQueueId(name);
        }
        return id;
    }

    /** To be called before new messages are stored: refuses them on a full disk. */
    void ensureSpace() {
        reserve.ensure();
    }

    /**
     * So many new messages were stored by one statement.
     *
     * @return the id of the first; nobody else writes meanwhile, so the ids of a transaction follow each other
     */
    long firstInsertedId(int count) throws SQLException {
        if (lastId == 0) {
            try (ResultSet rows = connection().prepare(LAST_INSERTED).executeQuery()) {
                rows.next();
                lastId = rows.getLong(1);
            }
        } else {
            lastId += count;
        }
        return lastId - count + 1;
    }

    /** An id was given that {@link #firstInsertedId} does not know of. */
    void forgetLastId() {
        lastId = 0;
    }

    /** Publishes a signal once this is stored; see {@link Announcements#channel}. */
    void announce(long channel, Signal signal) {
        announcements.add(channel, signal);
    }

    /** Whether the command is not to take short cuts that may not fit. */
    boolean shortcutsForbidden() {
        return shortcutsForbidden;
    }

    void shortcutsForbidden(boolean value) {
        shortcutsForbidden = value;
    }

    boolean begun() {
        return begun;
    }

    /** Whether it could not be begun; nothing is wrong with the command that asked for it. */
    boolean beginFailed() {
        return beginFailed;
    }

    /** The latest time that a command saw; 0 when none looked. */
    long latestMillis() {
        return latestMillis;
    }

    /** Stores it. */
    void commit() throws SQLException {
        if (begun) {
            connection.execute(Sql.COMMIT);
        }
    }

    void rollback() {
        if (begun) {
            connection.rollback();
        }
    }

    Announcements announcements() {
        return announcements;
    }
}

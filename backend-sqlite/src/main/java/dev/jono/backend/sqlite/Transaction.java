package dev.jono.backend.sqlite;

import dev.jono.spi.Signal;
import dev.jono.spi.SteadyClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that commands run in. It begins when the first command asks for the connection, so commands that only
 * publish a signal need none. Used by the writer's thread, or, for a transaction
 * of the application, by its thread.
 */
final class Transaction {
    private static final String LAST_INSERTED = "SELECT last_insert_rowid()";

    private final SqliteConnection connection;
    /** Null in a transaction of the application. */
    private final @Nullable DiskReserve reserve;

    private final Map<String, QueueIds.Found> queues = new HashMap<>();
    private final Announcements announcements = new Announcements();
    private boolean begun;
    private boolean beginFailed;
    private boolean shortcutsForbidden;
    private long latestMillis;
    /** The id of the last new message; 0 if it must be read from SQLite. */
    private long lastId;

    Transaction(SqliteConnection connection, DiskReserve reserve) {
        this(connection, reserve, /* begun= */ false);
    }

    private Transaction(SqliteConnection connection, @Nullable DiskReserve reserve, boolean begun) {
        this.connection = connection;
        this.reserve = reserve;
        this.begun = begun;
    }

    /** The transaction of an application, which begins and ends it. */
    static Transaction joined(SqliteConnection connection) {
        return new Transaction(connection, null, /* begun= */ true);
    }

    /** The connection; begins the transaction if necessary. */
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

    /** The storage time. Read after the begin, so it is not before the times that other processes have stored. */
    long now(SteadyClock clock) throws SQLException {
        connection();
        long now = clock.millis();
        latestMillis = Math.max(latestMillis, now);
        return now;
    }

    /** The id of a queue; {@link QueueIds#NONE} if no message was ever stored in it. */
    long findQueueId(String name) throws SQLException {
        return findQueue(name).id();
    }

    /** A queue; {@link QueueIds#NOT_FOUND} if no message was ever stored in it. */
    QueueIds.Found findQueue(String name) throws SQLException {
        QueueIds.Found known = queues.get(name);
        if (known != null) {
            return known;
        }
        QueueIds.Found found = QueueIds.lookUp(connection(), name);
        if (found.id() != QueueIds.NONE) {
            queues.put(name, found);
        }
        return found;
    }

    /** Forgets a queue that was deleted or changed. */
    void forgetQueue(String name) {
        queues.remove(name);
    }

    /** The id of a queue, which is assigned if the queue has none. */
    long queueId(String name) throws SQLException {
        long id = findQueueId(name);
        if (id == QueueIds.NONE) {
            QueueIds.add(connection(), name);
            id = findQueueId(name);
        }
        return id;
    }

    /** Fails if the disk is full. Called before new messages are stored. A transaction of the application does not check. */
    void ensureSpace() {
        if (reserve != null) {
            reserve.ensure();
        }
    }

    /**
     * The first id of the messages that one statement has just inserted. No other process writes during the
     * transaction, so the ids are consecutive.
     *
     * @param count the number of inserted messages
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

    /** Called when a message was inserted by other means than those of {@link #firstInsertedId}. */
    void forgetLastId() {
        lastId = 0;
    }

    /** Publishes a signal after the commit; for the channel see {@link Announcements#channel}. */
    void announce(long channel, Signal signal) {
        announcements.add(channel, signal);
    }

    /** Whether the command must not use a {@linkplain Command.ShortcutFailedException shortcut that can fail}. */
    boolean shortcutsForbidden() {
        return shortcutsForbidden;
    }

    void shortcutsForbidden(boolean value) {
        shortcutsForbidden = value;
    }

    boolean begun() {
        return begun;
    }

    /** Whether the begin failed; the command that asked for the connection is not the cause. */
    boolean beginFailed() {
        return beginFailed;
    }

    /** The latest time that a command has read; 0 if none has. */
    long latestMillis() {
        return latestMillis;
    }

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

package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The numbers of queues, as they stand in the file. A queue that has a number keeps it. Thread-safe. */
final class QueueIds {
    static final long NONE = 0;

    private static final String FIND = "SELECT id FROM queue WHERE name=?";
    private static final String ADD = "INSERT INTO queue(name) VALUES(?)";

    private final Map<String, Long> known = new ConcurrentHashMap<>();

    /** The number of a queue; {@link #NONE} when nothing was ever stored in it. */
    long find(Db db, String name) throws SQLException {
        Long id = known.get(name);
        return id != null ? id : look(db, name);
    }

    /** As {@link #find}, for the writer: what it finds may be of a transaction that is still undone, so it is not kept. */
    long peek(Db db, String name) throws SQLException {
        Long id = known.get(name);
        return id != null ? id : select(db, name);
    }

    private long look(Db db, String name) throws SQLException {
        long id = select(db, name);
        if (id != NONE) {
            known.put(name, id);
        }
        return id;
    }

    private static long select(Db db, String name) throws SQLException {
        PreparedStatement find = db.prepare(FIND);
        find.setString(1, name);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next() ? rows.getLong(1) : NONE;
        }
    }

    static void add(Db db, String name) throws SQLException {
        PreparedStatement add = db.prepare(ADD);
        add.setString(1, name);
        add.executeUpdate();
    }

    /** What a transaction made, now that it is stored. */
    void keep(Map<String, Long> stored) {
        known.putAll(stored);
    }
}

package dev.jono.jobs.sqlite;

import dev.jono.backend.sqlite.SqliteFile.Statements;
import dev.jono.jobs.spi.StoredEvent;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The log of events and its readers. Its methods are called within a transaction. */
final class SqliteEvents {
    private static final int MAX_EVENTS = 10_000;

    private static final String FORGET = "DELETE FROM job_reader WHERE id=? OR until<=?";
    private static final String ANNOUNCE = "INSERT INTO job_reader(id, until) VALUES(?, ?)";
    private static final String HAS_READER = "SELECT 1 FROM job_reader WHERE id<>? AND until>? LIMIT 1";
    private static final String LAST = "SELECT coalesce(max(number), 0) FROM job_event";
    private static final String APPEND = "INSERT INTO job_event(document) VALUES(?)";
    /** Each append removes about as many events as it adds. */
    private static final String TRIM = "DELETE FROM job_event WHERE number<=?";

    private static final String READ = "SELECT number, document FROM job_event WHERE number>? ORDER BY number LIMIT ?";

    private SqliteEvents() {}

    /** Returns the position of the last event. */
    static String listen(Statements statements, String reader, long leaseMillis, long now) throws SQLException {
        PreparedStatement forget = statements.prepare(FORGET);
        forget.setString(1, reader);
        forget.setLong(2, now);
        forget.executeUpdate();
        if (leaseMillis > 0) {
            PreparedStatement announce = statements.prepare(ANNOUNCE);
            announce.setString(1, reader);
            announce.setLong(2, now + leaseMillis);
            announce.executeUpdate();
        }
        return Long.toString(last(statements));
    }

    private static long last(Statements statements) throws SQLException {
        try (ResultSet rows = statements.prepare(LAST).executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    static boolean hasReader(Statements statements, String writer, long now) throws SQLException {
        PreparedStatement select = statements.prepare(HAS_READER);
        select.setString(1, writer);
        select.setLong(2, now);
        try (ResultSet rows = select.executeQuery()) {
            return rows.next();
        }
    }

    static void append(Statements statements, List<String> documents) throws SQLException {
        for (String document : documents) {
            PreparedStatement append = statements.prepare(APPEND);
            append.setString(1, document);
            append.executeUpdate();
        }
        PreparedStatement trim = statements.prepare(TRIM);
        trim.setLong(1, last(statements) - MAX_EVENTS);
        trim.executeUpdate();
    }

    static List<StoredEvent> read(Statements statements, String after, int max) throws SQLException {
        PreparedStatement read = statements.prepare(READ);
        read.setLong(1, after.isEmpty() ? 0 : Long.parseLong(after));
        read.setInt(2, max);
        List<StoredEvent> events = new ArrayList<>();
        try (ResultSet rows = read.executeQuery()) {
            while (rows.next()) {
                events.add(new StoredEvent(Long.toString(rows.getLong(1)), rows.getString(2)));
            }
        }
        return events;
    }
}

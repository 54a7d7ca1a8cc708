package dev.jono.jobs.postgres;

import dev.jono.jobs.spi.StoredEvent;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The log of events and its readers, within a transaction. Appends exclude one another, so events are committed in the order
 * of their numbers, and no reader passes over one.
 */
final class EventLog {
    private static final int MAX_EVENTS = 10_000;

    private static final String FORGET = "DELETE FROM jono.job_reader WHERE id = ? OR until <= (SELECT jono.millis())";
    private static final String ANNOUNCE = "INSERT INTO jono.job_reader (id, until) VALUES (?, jono.millis() + ?)"
            + " ON CONFLICT (id) DO UPDATE SET until = EXCLUDED.until";
    private static final String HAS_READER =
            "SELECT 1 FROM jono.job_reader WHERE id <> ? AND until > (SELECT jono.millis()) LIMIT 1";
    private static final String LAST = "SELECT coalesce(max(number), 0) FROM jono.job_event";
    private static final String LOCK = "SELECT pg_advisory_xact_lock('jono.job_event'::regclass::oid::bigint)";
    private static final String APPEND = "INSERT INTO jono.job_event (document) SELECT document"
            + " FROM unnest(?::text[]) WITH ORDINALITY AS r(document, place) ORDER BY place";
    /** Each append removes about as many events as it adds. */
    private static final String TRIM = "DELETE FROM jono.job_event WHERE number <= ?";

    private static final String READ =
            "SELECT number, document FROM jono.job_event WHERE number > ? ORDER BY number LIMIT ?";

    private EventLog() {}

    /** Returns the position of the last event. */
    static String listen(SqlTransaction tx, String reader, long leaseMillis) throws SQLException {
        try (PreparedStatement forget = tx.prepareAnew(FORGET)) {
            forget.setString(1, reader);
            forget.executeUpdate();
        }
        if (leaseMillis > 0) {
            try (PreparedStatement announce = tx.prepareAnew(ANNOUNCE)) {
                announce.setString(1, reader);
                announce.setLong(2, leaseMillis);
                announce.executeUpdate();
            }
        }
        return Long.toString(last(tx));
    }

    private static long last(SqlTransaction tx) throws SQLException {
        try (PreparedStatement select = tx.prepareAnew(LAST);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    static boolean hasReader(SqlTransaction tx, String writer) throws SQLException {
        try (PreparedStatement select = tx.prepareAnew(HAS_READER)) {
            select.setString(1, writer);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    static void append(SqlTransaction tx, List<String> documents) throws SQLException {
        try (PreparedStatement lock = tx.prepareAnew(LOCK)) {
            lock.execute();
        }
        try (PreparedStatement append = tx.prepareAnew(APPEND)) {
            append.setArray(1, tx.texts(documents));
            append.executeUpdate();
        }
        try (PreparedStatement trim = tx.prepareAnew(TRIM)) {
            trim.setLong(1, last(tx) - MAX_EVENTS);
            trim.executeUpdate();
        }
    }

    static List<StoredEvent> read(SqlTransaction tx, String after, int max) throws SQLException {
        List<StoredEvent> events = new ArrayList<>();
        try (PreparedStatement read = tx.prepareAnew(READ)) {
            read.setLong(1, after.isEmpty() ? 0 : Long.parseLong(after));
            read.setInt(2, max);
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    events.add(new StoredEvent(Long.toString(rows.getLong(1)), rows.getString(2)));
                }
            }
        }
        return events;
    }
}

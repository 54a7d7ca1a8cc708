package dev.jono.jobs.postgres;

import dev.jono.jobs.spi.LogLine;
import dev.jono.support.postgres.SqlTransaction;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The log lines of jobs, within a transaction. */
final class LogTable {
    private static final int MAX_LINES = 1000;
    private static final int MAX_LOG_BYTES = 256 * 1024;

    private static final String ADD = "INSERT INTO jono.job_log (id, line, time, attempt, bytes, text)"
            + " SELECT ?, (SELECT coalesce(max(line), 0) FROM jono.job_log WHERE id = ?) + r.place, r.time, r.attempt,"
            + " r.bytes, r.text FROM unnest(?::bigint[], ?::integer[], ?::integer[], ?::text[]) WITH ORDINALITY"
            + " AS r(time, attempt, bytes, text, place)";

    /** Deletes the oldest lines over the limits. */
    private static final String TRIM = "DELETE FROM jono.job_log WHERE id = ? AND line <= (SELECT max(line) FROM"
            + " (SELECT line, row_number() OVER newest AS number, sum(bytes) OVER newest AS size FROM jono.job_log"
            + " WHERE id = ? WINDOW newest AS (ORDER BY line DESC)) AS lines WHERE number > ? OR size > ?)";

    private static final String READ =
            "SELECT time, attempt, text FROM jono.job_log WHERE id = ? ORDER BY line DESC LIMIT ?";

    private final SqlTransaction tx;

    LogTable(SqlTransaction tx) {
        this.tx = tx;
    }

    /** Adds lines to the log of a job whose record is locked. */
    void add(String id, List<LogLine> lines) throws SQLException {
        List<String> texts = lines.stream().map(line -> storable(line.text())).toList();
        try (PreparedStatement add = tx.prepareAnew(ADD)) {
            add.setString(1, id);
            add.setString(2, id);
            add.setArray(3, tx.longs(lines.stream().map(LogLine::timeMillis).toList()));
            add.setArray(
                    4, tx.array("integer", lines.stream().map(LogLine::attempt).toArray(Integer[]::new)));
            add.setArray(
                    5, tx.array("integer", texts.stream().map(LogTable::bytes).toArray(Integer[]::new)));
            add.setArray(6, tx.texts(texts));
            add.executeUpdate();
        }
        try (PreparedStatement trim = tx.prepareAnew(TRIM)) {
            trim.setString(1, id);
            trim.setString(2, id);
            trim.setInt(3, MAX_LINES);
            trim.setLong(4, MAX_LOG_BYTES);
            trim.executeUpdate();
        }
    }

    /** PostgreSQL cannot store the character NUL. */
    private static String storable(String text) {
        return text.replace('\0', '\ufffd');
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    List<LogLine> last(String id, int max) throws SQLException {
        List<LogLine> lines = new ArrayList<>();
        try (PreparedStatement read = tx.prepareAnew(READ)) {
            read.setString(1, id);
            read.setInt(2, max);
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    lines.add(new LogLine(rows.getLong(1), rows.getInt(2), rows.getString(3)));
                }
            }
        }
        Collections.reverse(lines);
        return lines;
    }
}

package dev.jono.backend.keusspostgres;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.HeaderText;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of a queue, as statements return it.
 *
 * @param id the id of the row
 * @param shownId the id that users see
 * @param tries the reservations that were counted, the current one included
 * @param dueMicros when the message was due before it was reserved, in microseconds since the epoch
 * @param matureMicros its due time, or the end of its lease
 * @param reservedMicros the time of the last reservation that was not given back; 0 for none
 * @param fault why it is no message; null for a sound one
 */
record MessageRow(
        String id,
        String shownId,
        int tries,
        long dueMicros,
        long matureMicros,
        long reservedMicros,
        EncodedPayload payload,
        Headers headers,
        @Nullable String fault) {
    static final int MICROS_PER_MILLI = 1000;

    /** When a message was due before it was reserved. keuss does not store it. */
    static final String DUE = "CASE WHEN m.reserved IS NULL THEN m.mature ELSE coalesce($due, m.mature) END";

    /**
     * The columns that {@link #read} reads, of a table {@code m} with {@link #FIELDS}. Of a string payload it is the string;
     * any other payload is JSON.
     */
    static final String COLUMNS = "m._id, p.jono_id, m.tries, " + micros(DUE) + ", " + micros("m.mature") + ", "
            + micros("m.reserved") + ", jsonb_typeof(m._pl), p.type, p.kind, p.json,"
            + " CASE WHEN p.json IS NOT NULL THEN NULL WHEN jsonb_typeof(p.payload) = 'string'"
            + " AND (p.type = 'buffer' OR p.kind IS DISTINCT FROM 'json') THEN p.payload #>> '{}'"
            + " ELSE p.payload::text END, jsonb_typeof(p.payload), (SELECT jsonb_object_agg(h.key,"
            + " CASE WHEN jsonb_typeof(h.value) IN ('object', 'array', 'null') THEN to_jsonb(h.value::text)"
            + " ELSE h.value END) FROM jsonb_each(CASE WHEN jsonb_typeof(p.hdrs) = 'object' THEN p.hdrs END) AS h),"
            + " CASE WHEN jsonb_typeof(m._pl) = 'object' THEN NULL ELSE m._pl::text END";

    /** The fields of the column {@code _pl}. */
    static final String FIELDS = " CROSS JOIN LATERAL jsonb_to_record(CASE WHEN jsonb_typeof(m._pl) = 'object'"
            + " THEN m._pl ELSE '{}' END) AS p(payload jsonb, hdrs jsonb, type text, kind text, json text, jono_id text)";

    private static final String BUFFER = "buffer";
    private static final String STRING = "string";

    /** A time in microseconds since the epoch, or null. A time that only another program can have written is cut. */
    static String micros(String time) {
        return "CASE WHEN " + time + " IS NOT NULL THEN (extract(epoch FROM greatest('epoch'::timestamptz,"
                + " least('290000-01-01'::timestamptz, " + time + "))) * 1000000)::bigint END";
    }

    /** The time that is a number of microseconds after the epoch. */
    static String time(String micros) {
        return "('epoch'::timestamptz + (" + micros + ") * interval '1 microsecond')";
    }

    /**
     * Reads a row of {@link #COLUMNS} after other columns.
     *
     * @param others how many columns come before
     */
    static MessageRow read(ResultSet rows, int others, String queue) throws SQLException {
        String id = rows.getString(others + 1);
        String given = rows.getString(others + 2);
        long due = rows.getLong(others + 4);
        long mature = rows.getLong(others + 5);
        boolean reserved = rows.getObject(others + 6) != null;
        String foreign = rows.getString(others + 14);
        String fault = "object".equals(rows.getString(others + 7))
                ? null
                : "message " + id + " of queue '" + queue + "' has no object in the column _pl";
        Headers headers = Headers.empty();
        try {
            headers = HeaderText.read(rows.getString(others + 13));
        } catch (IllegalArgumentException e) {
            // One broken row must not fail the call for the other rows.
            fault = "message " + id + " of queue '" + queue + "' has broken headers: " + e.getMessage();
        }
        return new MessageRow(
                id,
                given != null && Ids.row(given).equals(id) ? given : id,
                rows.getInt(others + 3),
                due,
                mature,
                reserved ? rows.getLong(others + 6) : 0,
                foreign == null ? payload(rows, others) : bytes(foreign),
                headers,
                fault);
    }

    private static EncodedPayload bytes(String text) {
        return EncodedPayload.of(PayloadKind.BYTES, text.getBytes(StandardCharsets.UTF_8));
    }

    private static EncodedPayload payload(ResultSet rows, int others) throws SQLException {
        String exact = rows.getString(others + 10);
        if (exact != null) {
            return EncodedPayload.of(PayloadKind.JSON, exact.getBytes(StandardCharsets.UTF_8));
        }
        String kind = rows.getString(others + 9);
        String text = rows.getString(others + 11);
        boolean isString = STRING.equals(rows.getString(others + 12));
        if (isString && BUFFER.equals(rows.getString(others + 8))) {
            PayloadKind of = "json".equals(kind)
                    ? PayloadKind.JSON
                    : STRING.equals(kind) ? PayloadKind.STRING : PayloadKind.BYTES;
            return EncodedPayload.of(of, base64(text));
        }
        byte[] bytes = (text == null ? "null" : text).getBytes(StandardCharsets.UTF_8);
        return isString && !"json".equals(kind)
                ? EncodedPayload.of(PayloadKind.STRING, bytes)
                : EncodedPayload.of(PayloadKind.JSON, JsonText.withoutBlanks(bytes));
    }

    /** Decodes base64 as Node does: both alphabets, with or without padding. */
    private static byte[] base64(String text) {
        String standard = text.replace('-', '+').replace('_', '/');
        return Base64.getMimeDecoder().decode(standard);
    }

    boolean isReserved() {
        return reservedMicros != 0;
    }

    /** A builder with the fields that all views of the message share. */
    StoredMessage.Builder message() {
        return StoredMessage.builder()
                .id(shownId)
                .payload(payload)
                .headers(headers)
                .tries(tries)
                .dueMillis(dueMicros / MICROS_PER_MILLI)
                .pushedMillis(Ids.storedMillis(id))
                .fault(fault);
    }
}

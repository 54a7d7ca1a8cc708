package dev.jono.backend.sqlite;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A message as a row of the table. */
record MessageRow(
        long id,
        @Nullable String xid,
        EncodedPayload payload,
        @Nullable String headers,
        int tries,
        long dueMillis,
        long leaseMillis,
        long claim,
        long pushedMillis,
        @Nullable String fault) {
    /** The order of a queue. A message whose lease has ended is where it was before. */
    static final Comparator<MessageRow> ORDER =
            Comparator.comparingLong(MessageRow::dueMillis).thenComparingLong(MessageRow::id);

    private static final byte[] EMPTY = {};

    /** Reads a row of {@link Sql#COLUMNS}. */
    static MessageRow read(ResultSet rows, String queue) throws SQLException {
        long id = rows.getLong(1);
        String xid = rows.getString(2);
        byte[] bytes = rows.getBytes(10);
        int code = rows.getInt(3);
        PayloadKind kind = kind(code);
        String fault = kind != null
                ? null
                : "something other than Jono wrote it: message " + id + " of queue '" + queue
                        + "' has the unknown payload kind " + code;
        return new MessageRow(
                id,
                xid,
                EncodedPayload.of(kind == null ? PayloadKind.BYTES : kind, bytes == null ? EMPTY : bytes),
                rows.getString(9),
                rows.getInt(4),
                rows.getLong(5),
                rows.getLong(6),
                rows.getLong(7),
                rows.getLong(8),
                fault);
    }

    static int code(PayloadKind kind) {
        return switch (kind) {
            case JSON -> 1;
            case STRING -> 2;
            case BYTES -> 3;
        };
    }

    private static @Nullable PayloadKind kind(int code) {
        return switch (code) {
            case 1 -> PayloadKind.JSON;
            case 2 -> PayloadKind.STRING;
            case 3 -> PayloadKind.BYTES;
            default -> null;
        };
    }

    /** Whether a reservation was made and never settled; it has ended if the row was found to be claimable. */
    boolean isClaimed() {
        return claim > 0;
    }

    /** When it can be claimed: its due time, or the end of its lease. */
    long claimableMillis() {
        return isClaimed() ? leaseMillis : dueMillis;
    }

    /** The next of two ordered lists, which is removed from its list; at least one has more. */
    static MessageRow takeFirst(Deque<MessageRow> some, Deque<MessageRow> others) {
        MessageRow a = some.peek();
        MessageRow b = others.peek();
        return b == null || (a != null && ORDER.compare(a, b) < 0) ? some.remove() : others.remove();
    }

    /** What all views of a message have in common. */
    StoredMessage.Builder message(String queue) {
        String shown = Ids.messageId(id, xid);
        StoredMessage.Builder message = StoredMessage.builder()
                .id(shown)
                .payload(payload)
                .tries(tries)
                .dueMillis(dueMillis)
                .pushedMillis(pushedMillis)
                .fault(fault);
        if (headers != null) {
            try {
                message.headers(HeaderText.read(headers));
            } catch (IllegalArgumentException e) {
                // One broken row must not fail the call for all that are read with it.
                message.fault("message " + shown + " of queue '" + queue + "' has broken headers (" + e.getMessage()
                        + "): " + headers);
            }
        }
        return message;
    }
}

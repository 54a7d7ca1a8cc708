package dev.jono.backend.sqlite;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.HeaderText;
import dev.jono.spi.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A row of the table {@code message}. */
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
        @Nullable String key,
        @Nullable String fault) {
    /** The order of a queue. A message whose lease has ended has its old position. */
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
                : "message " + id + " of queue '" + queue + "' has the unknown payload kind " + code
                        + ": it was not written by Jono";
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
                rows.getString(11),
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

    /** Whether the message waits for an earlier one of its key. */
    boolean isBlocked() {
        return claim == Sql.BLOCKED;
    }

    /** Whether the message has a reservation that was not settled. If the row is claimable, its lease has ended. */
    boolean isClaimed() {
        return claim > 0;
    }

    /** Whether no consumer has held the message before; see {@link Sql#FREE_LEASE}. */
    boolean isNew() {
        return tries == 0 && leaseMillis == dueMillis;
    }

    /** The state of a message that no consumer holds. */
    StoredMessage.State stateUnheld(long nowMillis) {
        if (isBlocked()) {
            return StoredMessage.State.BLOCKED;
        }
        return claimableMillis() <= nowMillis ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED;
    }

    /** The time from which the message can be claimed: its due time, or the end of its lease. */
    long claimableMillis() {
        return isClaimed() ? leaseMillis : dueMillis;
    }

    /** Removes and returns the first row of two ordered lists, of which at least one is not empty. */
    static MessageRow takeFirst(Deque<MessageRow> first, Deque<MessageRow> second) {
        MessageRow a = first.peek();
        MessageRow b = second.peek();
        return b == null || (a != null && ORDER.compare(a, b) < 0) ? first.remove() : second.remove();
    }

    /** A builder with the fields that all views of the message share. */
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
                // One broken row must not fail the call for the other rows.
                message.fault("message " + shown + " of queue '" + queue + "' has broken headers (" + e.getMessage()
                        + "): " + headers);
            }
        }
        return message;
    }
}

package dev.jono.backend.postgres;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.HeaderText;
import dev.jono.spi.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
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
        int state,
        long pushedMillis,
        @Nullable String key,
        @Nullable String fault) {
    /** The state of a message that may be handed out, now or later. */
    static final int FREE = 0;

    /** The state of a message that was handed out under a lease, which may have ended. */
    static final int HELD = 1;

    /** The state of a message that waits for an earlier one of its ordering key. */
    static final int BLOCKED = 2;

    /** The lease of a message that no consumer has held. */
    static final long NEVER_LEASED = 0;

    /** The lease of a message that was moved, restored, or inserted under a given id: somebody may have held it before. */
    static final long LEASED_ELSEWHERE = 1;

    /** The columns that {@link #read} reads, of a table {@code m}. */
    static final String COLUMNS =
            "m.id, m.xid, m.kind, m.tries, m.due, m.lease, m.state, m.pushed, m.headers, m.payload, m.key";

    /** The order of a queue. A message whose lease has ended has its old position. */
    static final Comparator<MessageRow> ORDER =
            Comparator.comparingLong(MessageRow::dueMillis).thenComparingLong(MessageRow::id);

    private static final byte[] EMPTY = {};

    /** Reads a row of {@link #COLUMNS}. */
    static MessageRow read(ResultSet rows, String queue) throws SQLException {
        return read(rows, 0, queue);
    }

    /**
     * Reads a row of {@link #COLUMNS} after other columns.
     *
     * @param others how many columns come before
     */
    static MessageRow read(ResultSet rows, int others, String queue) throws SQLException {
        long id = rows.getLong(others + 1);
        int code = rows.getInt(others + 3);
        PayloadKind kind = kind(code);
        byte[] bytes = rows.getBytes(others + 10);
        String fault = kind != null
                ? null
                : "message " + id + " of queue '" + queue + "' has the unknown payload kind " + code
                        + ": it was not written by Jono";
        return new MessageRow(
                id,
                rows.getString(others + 2),
                EncodedPayload.of(kind == null ? PayloadKind.BYTES : kind, bytes == null ? EMPTY : bytes),
                rows.getString(others + 9),
                rows.getInt(others + 4),
                rows.getLong(others + 5),
                rows.getLong(others + 6),
                rows.getInt(others + 7),
                rows.getLong(others + 8),
                rows.getString(others + 11),
                fault);
    }

    static short code(PayloadKind kind) {
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

    /** Drops broken headers, which only another program can have written. The dead letter's error quotes them. */
    static Headers readable(@Nullable String stored) {
        try {
            return HeaderText.read(stored);
        } catch (IllegalArgumentException e) {
            return Headers.empty();
        }
    }

    /** Whether no consumer has held the message. Of a row as it was before its claim. */
    boolean isNew() {
        return tries == 0 && leaseMillis == NEVER_LEASED;
    }

    boolean isHeld() {
        return state == HELD;
    }

    boolean isHeld(long nowMillis) {
        return state == HELD && leaseMillis > nowMillis;
    }

    /** The state of the message as users see it. */
    StoredMessage.State shownState(long nowMillis) {
        if (isHeld(nowMillis)) {
            return StoredMessage.State.RESERVED;
        }
        if (state == BLOCKED) {
            return StoredMessage.State.BLOCKED;
        }
        return isHeld() || dueMillis <= nowMillis ? StoredMessage.State.READY : StoredMessage.State.SCHEDULED;
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
        try {
            message.headers(HeaderText.read(headers));
        } catch (IllegalArgumentException e) {
            // One broken row must not fail the call for the other rows.
            message.fault("message " + shown + " of queue '" + queue + "' has broken headers (" + e.getMessage() + "): "
                    + headers);
        }
        return message;
    }
}

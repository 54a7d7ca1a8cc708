package dev.jono.backend.redisoq;

import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.Replies;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes messages from the encoded texts that the scripts return. {@code texts.lua} describes the fields that a reservation
 * writes at the end of a text.
 */
final class MessageReader {
    private static final int ID_AT = "{\"_id\":\"".length();
    private static final byte[] NO_SCORE = {};

    // Positions in the value of the field "jono".
    private static final int DUE_AT = 0;
    private static final int MISSED_AT = 16;
    private static final int EXPIRED_AT = 23;
    private static final int FENCE_AT = 25;
    private static final int MARK_LENGTH = 38;
    private static final int DUE_LENGTH = 15;
    private static final int MISSED_LENGTH = 6;

    // Positions of Jono's fields, counted from the end of a text that has them.
    private static final byte[] TRIES = RedisKeys.bytes(",\"tries\":");
    private static final byte[] MARK = RedisKeys.bytes(",\"jono\":\"");
    private static final int TAIL = 81;
    private static final int TRIES_FROM_END = 72;
    private static final int TRIES_LENGTH = 6;
    private static final int MARK_FROM_END = 40;

    private MessageReader() {}

    /**
     * What the messages of a claim have in common.
     *
     * @param token of their receipts
     * @param endMillis the end of the lease, milliseconds since the epoch
     * @param isolated whether the claim returned its only message alone
     */
    record Lease(String token, long endMillis, boolean isolated) {}

    /** The id in a text that begins with it. */
    static String id(byte[] text) {
        int end = ID_AT;
        while (text[end] != '"') {
            end++;
        }
        return new String(text, ID_AT, end - ID_AT, StandardCharsets.UTF_8);
    }

    /** A taken message that was never reserved and whose text begins with its id. */
    static StoredMessage taken(byte[] text, long now) {
        return taken(id(text), NO_SCORE, text, now);
    }

    /**
     * A taken message. Fields of a reservation in its text belong to one that has expired.
     *
     * @param score its due time in the index; empty if the text contains it
     */
    static StoredMessage taken(String id, byte[] score, byte[] text, long now) {
        Envelope.Parsed parsed = Envelope.read(text);
        long dueInText = parsed.mature() == 0 ? now : parsed.mature();
        return builder(id, parsed)
                .dueMillis(score.length == 0 ? dueInText : Replies.score(score))
                .tries(tries(parsed) + (parsed.reserved() ? 1 : 0))
                .expired(parsed.reserved())
                .build();
    }

    /**
     * A claimed message. The script adds Jono's fields to a text that was delivered before, or that is no valid message: it has
     * to be settled too, and its deliveries are counted. Any other text is unchanged, or carries the mark of this claim: nobody has
     * held it, unless it was moved.
     */
    static StoredMessage claimed(String id, byte[] text, Lease lease) {
        Envelope.Parsed parsed = Envelope.read(text);
        StoredMessage.Builder message = builder(id, parsed)
                .leaseEndMillis(lease.endMillis())
                .state(State.RESERVED)
                .isolated(lease.isolated())
                .receipt(Receipt.of(id, lease.token()));
        if (!matches(TRIES, text, TAIL) || !matches(MARK, text, MARK_FROM_END + MARK.length)) {
            return message.dueMillis(parsed.mature())
                    .firstDelivery(!parsed.moved() && parsed.tries() == 0)
                    .build();
        }
        String tries = new String(text, text.length - TRIES_FROM_END, TRIES_LENGTH, StandardCharsets.ISO_8859_1);
        String mark = new String(text, text.length - MARK_FROM_END, MARK_LENGTH, StandardCharsets.ISO_8859_1);
        return message.dueMillis(number(mark, DUE_AT, DUE_LENGTH))
                .expired(mark.charAt(EXPIRED_AT) == 'e')
                .tries(Integer.parseInt(tries.strip()) + missedDeliveries(mark))
                .build();
    }

    private static boolean matches(byte[] expected, byte[] text, int fromEnd) {
        int at = text.length - fromEnd;
        return at >= 0 && Arrays.equals(expected, 0, expected.length, text, at, at + expected.length);
    }

    /** Deliveries that ended because the lease expired. The field {@code tries} does not count them. */
    private static int missedDeliveries(String mark) {
        return (int) number(mark, MISSED_AT, MISSED_LENGTH);
    }

    /**
     * A message that a browse found.
     *
     * @param score its score in the index
     * @param cursor its position in the queue; for a reserved message its position before the claim
     * @param leased whether it is leased, or was leased until the lease expired and was not claimed again
     */
    static StoredMessage browsed(String id, long score, String cursor, boolean leased, byte[] text, long now) {
        Envelope.Parsed parsed = Envelope.read(text);
        boolean due = score <= now;
        boolean reserved = leased && !due;
        boolean expired = due && (leased || parsed.reserved());
        return builder(id, parsed)
                .dueMillis(leased ? dueBeforeLease(parsed, score) : score)
                .leaseEndMillis(reserved ? score : 0)
                .tries(tries(parsed) + (expired ? 1 : 0))
                .expired(expired)
                .state(reserved ? State.RESERVED : due ? State.READY : State.SCHEDULED)
                .cursor(cursor)
                .build();
    }

    /** A message that a browse found, and that waits for earlier messages of its key. A lease that it had has ended. */
    static StoredMessage blocked(String id, long due, String cursor, byte[] text) {
        Envelope.Parsed parsed = Envelope.read(text);
        return builder(id, parsed)
                .dueMillis(due)
                .tries(tries(parsed) + (parsed.reserved() ? 1 : 0))
                .expired(parsed.reserved())
                .state(State.BLOCKED)
                .cursor(cursor)
                .build();
    }

    private static long dueBeforeLease(Envelope.Parsed parsed, long score) {
        String mark = mark(parsed);
        long due = mark == null ? parsed.mature() : number(mark, DUE_AT, DUE_LENGTH);
        return due == 0 ? score : due;
    }

    private static StoredMessage.Builder builder(String id, Envelope.Parsed parsed) {
        return StoredMessage.builder()
                .id(id)
                .payload(parsed.payload())
                .headers(parsed.headers())
                .pushedMillis(MessageIds.storedMillis(id));
    }

    private static int tries(Envelope.Parsed parsed) {
        String mark = mark(parsed);
        return parsed.tries() + (mark == null ? 0 : missedDeliveries(mark));
    }

    private static @Nullable String mark(Envelope.Parsed parsed) {
        String mark = parsed.mark();
        return mark != null && mark.length() == MARK_LENGTH && mark.charAt(FENCE_AT - 1) == ' ' ? mark : null;
    }

    private static long number(String text, int from, int length) {
        try {
            return Long.parseLong(text, from, from + length, 10);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

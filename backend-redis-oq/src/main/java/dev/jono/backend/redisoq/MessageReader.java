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

/** Messages as the scripts return them. */
final class MessageReader {
    private static final int ID_AT = "{\"_id\":\"".length();
    private static final byte[] NO_SCORE = {};
    private static final int DUE_AT = 0;
    private static final int MISSED_AT = 16;
    private static final int EXPIRED_AT = 23;
    private static final int FENCE_AT = 25;
    private static final int MARK_LENGTH = 38;
    private static final int TIME = 15;
    private static final int MISSED_LENGTH = 6;

    // Where Jono's fields stand behind a text that has them, as texts.lua has it.
    private static final byte[] TRIES = RedisKeys.bytes(",\"tries\":");
    private static final byte[] MARK = RedisKeys.bytes(",\"jono\":\"");
    private static final int TAIL = 81;
    private static final int TRIES_FROM_END = 72;
    private static final int TRIES_LENGTH = 6;
    private static final int MARK_FROM_END = 40;

    private MessageReader() {}

    /** Of a text that begins with its id. */
    static String id(byte[] text) {
        int end = ID_AT;
        while (text[end] != '"') {
            end++;
        }
        return new String(text, ID_AT, end - ID_AT, StandardCharsets.UTF_8);
    }

    /** What a take removed, of a text that begins with its id, and that nobody has ever reserved. */
    static StoredMessage taken(byte[] text, long now) {
        return taken(id(text), NO_SCORE, text, now);
    }

    /**
     * What a take removed: what it carries of a reservation is left over from one that ended.
     *
     * @param score when it was due; empty if its text tells that
     */
    static StoredMessage taken(String id, byte[] score, byte[] text, long now) {
        Envelope.Parsed found = Envelope.read(text);
        long told = found.mature() == 0 ? now : found.mature();
        return builder(id, found)
                .dueMillis(score.length == 0 ? told : Replies.score(score))
                .tries(tries(found) + (found.reserved() ? 1 : 0))
                .expired(found.reserved())
                .build();
    }

    /**
     * What a claim leased. Behind a text that had been delivered, or that is no message, the script has written Jono's fields:
     * that, too, has to be settled, and its deliveries counted. Any other is as it was pushed, or bears the mark of this claim.
     */
    static StoredMessage claimed(String id, byte[] text, Takes.Lease lease) {
        Envelope.Parsed found = Envelope.read(text);
        StoredMessage.Builder message = builder(id, found)
                .leaseEndMillis(lease.endMillis())
                .state(State.RESERVED)
                .isolated(lease.isolated())
                .receipt(Receipt.of(id, lease.token()));
        if (!matches(TRIES, text, TAIL) || !matches(MARK, text, MARK_FROM_END + MARK.length)) {
            return message.dueMillis(found.mature()).build();
        }
        String tries = new String(text, text.length - TRIES_FROM_END, TRIES_LENGTH, StandardCharsets.ISO_8859_1);
        String mark = new String(text, text.length - MARK_FROM_END, MARK_LENGTH, StandardCharsets.ISO_8859_1);
        return message.dueMillis(number(mark, DUE_AT, TIME))
                .expired(mark.charAt(EXPIRED_AT) == 'e')
                .tries(Integer.parseInt(tries.strip()) + missedDeliveries(mark))
                .build();
    }

    private static boolean matches(byte[] what, byte[] text, int fromEnd) {
        int at = text.length - fromEnd;
        return at >= 0 && Arrays.equals(what, 0, what.length, text, at, at + what.length);
    }

    private static int missedDeliveries(String mark) {
        return (int) number(mark, MISSED_AT, MISSED_LENGTH);
    }

    /**
     * What a look shows.
     *
     * @param place where it stands: that of a reservation is where it came from
     * @param leased whether it is, or was to the end and nobody has taken it since
     */
    static StoredMessage browsed(String id, long score, String place, boolean leased, byte[] text, long now) {
        Envelope.Parsed found = Envelope.read(text);
        boolean due = score <= now;
        boolean held = leased && !due;
        boolean ended = due && (leased || found.reserved());
        return builder(id, found)
                .dueMillis(leased ? dueBeforeLease(found, score) : score)
                .leaseEndMillis(held ? score : 0)
                .tries(tries(found) + (ended ? 1 : 0))
                .expired(ended)
                .state(held ? State.RESERVED : due ? State.READY : State.SCHEDULED)
                .cursor(place)
                .build();
    }

    /** Where what is leased came from. */
    private static long dueBeforeLease(Envelope.Parsed found, long score) {
        String mark = mark(found);
        long due = mark == null ? found.mature() : number(mark, DUE_AT, TIME);
        return due == 0 ? score : due;
    }

    private static StoredMessage.Builder builder(String id, Envelope.Parsed found) {
        return StoredMessage.builder()
                .id(id)
                .payload(found.payload())
                .headers(found.headers())
                .pushedMillis(MessageIds.storedMillis(id));
    }

    private static int tries(Envelope.Parsed found) {
        String mark = mark(found);
        return found.tries() + (mark == null ? 0 : missedDeliveries(mark));
    }

    private static @Nullable String mark(Envelope.Parsed found) {
        String mark = found.mark();
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

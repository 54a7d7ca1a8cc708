package dev.jono.backend.redisoq;

import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.Replies;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Messages as the scripts return them. */
final class OqMessages {
    private static final int ID_AT = "{\"_id\":\"".length();
    private static final byte[] NO_SCORE = {};
    private static final int DUE_AT = 0;
    private static final int SCORE_AT = 16;
    private static final int MISSED_AT = 32;
    private static final int EXPIRED_AT = 39;
    private static final int FENCE_AT = 41;
    private static final int MARK_LENGTH = 54;
    private static final int TIME = 15;
    private static final int MISSED_LENGTH = 6;

    // Where the fields of a claim stand behind a text, as messages.lua has it.
    private static final int TRIES_FROM_END = 88;
    private static final int TRIES_LENGTH = 6;
    private static final int MARK_FROM_END = 56;

    private OqMessages() {}

    /** What a take removed, of a text that begins with its id, and that nobody has ever reserved. */
    static StoredMessage taken(byte[] text, long now) {
        int end = ID_AT;
        while (text[end] != '"') {
            end++;
        }
        return taken(new String(text, ID_AT, end - ID_AT, StandardCharsets.UTF_8), NO_SCORE, text, now);
    }

    /**
     * What a take removed: what it carries of a reservation is left over from one that ended.
     *
     * @param score when it was due; empty if its text tells that
     */
    static StoredMessage taken(String id, byte[] score, byte[] text, long now) {
        Envelope.Found found = Envelope.read(text);
        long told = found.mature() == 0 ? now : found.mature();
        return common(id, found)
                .dueMillis(score.length == 0 ? told : Replies.score(score))
                .tries(tries(found) + (found.reserved() ? 1 : 0))
                .expired(found.reserved())
                .build();
    }

    /**
     * What a claim leased. The script has written its fields behind every text, also behind one that is no message: that,
     * too, has to be settled, and its deliveries counted.
     */
    static StoredMessage claimed(String id, byte[] text, String fence, boolean isolated) {
        Envelope.Found found = Envelope.read(text);
        String tries = new String(text, text.length - TRIES_FROM_END, TRIES_LENGTH, StandardCharsets.ISO_8859_1);
        String mark = new String(text, text.length - MARK_FROM_END, MARK_LENGTH, StandardCharsets.ISO_8859_1);
        return common(id, found)
                .dueMillis(number(mark, DUE_AT, TIME))
                .leaseEndMillis(number(mark, SCORE_AT, TIME))
                .expired(mark.charAt(EXPIRED_AT) == 'e')
                .tries(Integer.parseInt(tries.strip()) + missed(mark))
                .state(State.RESERVED)
                .isolated(isolated)
                .receipt(Claimed.receipt(id, mark.substring(DUE_AT, TIME), fence))
                .build();
    }

    private static int missed(String mark) {
        return (int) number(mark, MISSED_AT, MISSED_LENGTH);
    }

    /**
     * What a look shows.
     *
     * @param place where it stands: that of a reservation is where it came from
     */
    static StoredMessage seen(String id, long score, String place, byte[] text, long now) {
        Envelope.Found found = Envelope.read(text);
        String mark = mark(found);
        boolean held = mark != null && found.reserved() && number(mark, SCORE_AT, TIME) == score && score > now;
        long due = held && mark != null ? number(mark, DUE_AT, TIME) : score;
        boolean ended = found.reserved() && score <= now;
        return common(id, found)
                .dueMillis(due)
                .leaseEndMillis(held ? score : 0)
                .tries(tries(found) + (ended ? 1 : 0))
                .expired(ended)
                .state(held ? State.RESERVED : score <= now ? State.READY : State.SCHEDULED)
                .cursor(place)
                .build();
    }

    private static StoredMessage.Builder common(String id, Envelope.Found found) {
        return StoredMessage.builder()
                .id(id)
                .payload(found.payload())
                .headers(found.headers())
                .pushedMillis(MessageIds.storedMillis(id));
    }

    private static int tries(Envelope.Found found) {
        String mark = mark(found);
        return found.tries() + (mark == null ? 0 : missed(mark));
    }

    private static @Nullable String mark(Envelope.Found found) {
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

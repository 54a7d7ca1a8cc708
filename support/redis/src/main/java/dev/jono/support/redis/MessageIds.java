package dev.jono.support.redis;

/**
 * The ids that Jono gives to messages: the time of the insert in microseconds (16 digits), the index in its list (3 digits),
 * and eight letters and digits derived from the call's token. They sort in the order of insertion, and no two calls give the
 * same.
 */
public final class MessageIds {
    private static final int HASH = 13;
    private static final int SUFFIX = 8;
    private static final int STAMP = 16;
    private static final long MICROS_PER_MILLI = 1_000;

    private MessageIds() {}

    /** A hash of a call's token in 13 letters and digits. Two tokens are most unlikely to share one. */
    public static String hash(String token) {
        String text = Long.toUnsignedString(mix(token), 36);
        return "0".repeat(HASH - text.length()) + text;
    }

    /** The end of the ids that the call with this token gives. */
    public static String suffix(String token) {
        return hash(token).substring(HASH - SUFFIX);
    }

    /** FNV-1a, followed by a mix that spreads a difference over all bits. */
    private static long mix(String token) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < token.length(); i++) {
            hash = (hash ^ token.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return hash ^ (hash >>> 32);
    }

    /** The part of an id after the time, for the message at this index of a list. */
    public static String ending(int index, String suffix) {
        StringBuilder id = new StringBuilder(5 + SUFFIX).append('-');
        if (index < 100) {
            id.append('0');
        }
        if (index < 10) {
            id.append('0');
        }
        return id.append(index).append('-').append(suffix).toString();
    }

    /** When the message with this id was stored, milliseconds since the epoch; 0 for an id of another form. */
    public static long storedMillis(String id) {
        if (id.length() < STAMP + 5 || id.charAt(STAMP) != '-' || id.charAt(STAMP + 4) != '-') {
            return 0;
        }
        long micros = 0;
        for (int i = 0; i < STAMP; i++) {
            int digit = id.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            micros = 10 * micros + digit;
        }
        return micros / MICROS_PER_MILLI;
    }
}

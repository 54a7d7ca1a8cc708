package dev.jono.support.redis;

/**
 * Ids that scripts give: the time in microseconds at which the script ran (16 digits), the place in its list (3 digits)
 * and eight letters and digits of the call's name. They sort in the order of insertion, and no other call gives the same.
 */
public final class MessageIds {
    private static final int HASH = 13;
    private static final int SUFFIX = 8;
    private static final int STAMP = 16;
    private static final long MICROS_PER_MILLI = 1_000;

    private MessageIds() {}

    /** A call's name in 13 letters and digits: the same for the same name, and most unlikely for another. */
    public static String hash(String token) {
        String text = Long.toUnsignedString(mix(token), 36);
        return "0".repeat(HASH - text.length()) + text;
    }

    /** The end of the ids that the call of this name gives. */
    public static String suffix(String token) {
        return hash(token).substring(HASH - SUFFIX);
    }

    /** FNV-1a, and a last mix that spreads a difference over all bits. */
    private static long mix(String token) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < token.length(); i++) {
            hash = (hash ^ token.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return hash ^ (hash >>> 32);
    }

    /** What stands behind the stamp in the id of the message at this place of a list. */
    public static String ending(int place, String suffix) {
        StringBuilder id = new StringBuilder(5 + SUFFIX).append('-');
        if (place < 100) {
            id.append('0');
        }
        if (place < 10) {
            id.append('0');
        }
        return id.append(place).append('-').append(suffix).toString();
    }

    /** When a message of this id was stored, milliseconds since the epoch; 0 where the id is none of these. */
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

package dev.jono.backend.keusspostgres;

import dev.jono.spi.Receipt;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Message ids and receipts. keuss settles and removes only ids that are UUIDs of the versions 1 to 5.
 *
 * <p>A new message has an id with the digit 5 where the version is: 12 hex digits of milliseconds, 3 of microseconds, and random
 * bits. Such ids sort in the order of insertion. A message with an id of another form, from another storage, is stored under
 * a UUID that is derived from that id (version 3), and its row says which id it shows.
 *
 * <p>The token of a receipt is what every reservation changes: the time of the reservation in microseconds, and the number of
 * reservations, in base 36.
 */
final class Ids {
    /** The expression of a new id at a time in the column {@code micros}. */
    static final String NEW =
            "substr(lpad(to_hex(micros / 1000), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(micros / 1000), 12, '0'), 9)"
                    + " || '-5' || lpad(to_hex(micros % 1000), 3, '0') || substr(gen_random_uuid()::text, 19)";

    private static final Pattern ACCEPTED = Pattern.compile(
            "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", Pattern.CASE_INSENSITIVE);

    private static final int RADIX = 36;

    // The positions in an id.
    private static final int MILLIS_FIRST = 8;
    private static final int MILLIS_REST = 9;
    private static final int MILLIS_END = 13;
    private static final int VERSION = 14;
    private static final int VERSION_END = 18;
    private static final int HEX = 16;
    private static final int REST_BITS = 16;
    private static final int MICROS = 1000;

    /** From 2020 to 2100: ids of other programs may look like those made here. */
    private static final long FIRST_MILLIS = 1_577_836_800_000L;

    private static final long LAST_MILLIS = 4_102_444_800_000L;

    private Ids() {}

    /** The id of the row of a new message that has an id already. */
    static String row(String id) {
        return ACCEPTED.matcher(id).matches()
                ? id
                : UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The ids of all rows that may show one of these ids. */
    static List<String> rows(Collection<String> ids) {
        Set<String> rows = new LinkedHashSet<>();
        for (String id : ids) {
            if (id.indexOf('\0') < 0) {
                rows.add(id); // a row that another program wrote
            }
            rows.add(row(id));
        }
        return List.copyOf(rows);
    }

    /** When a message was stored, in milliseconds since the epoch; 0 if another program made its id. */
    static long storedMillis(String row) {
        if (row.length() != 36 || row.charAt(VERSION) != '5') {
            return 0;
        }
        try {
            long millis = Long.parseLong(row, 0, MILLIS_FIRST, HEX) << REST_BITS
                    | Integer.parseInt(row, MILLIS_REST, MILLIS_END, HEX);
            boolean ours = Integer.parseInt(row, VERSION + 1, VERSION_END, HEX) < MICROS
                    && millis >= FIRST_MILLIS
                    && millis < LAST_MILLIS;
            return ours ? millis : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * What a receipt says.
     *
     * @param row the id of the row
     * @param micros the time of the reservation, in microseconds since the epoch
     * @param tries the number of reservations, this one included
     */
    record Held(String row, long micros, int tries) {
        /** The end of the token of a message whose row has another id than it shows. */
        private static final String DERIVED_MARK = "~";

        /** A reservation that no message has. */
        private static final Held NONE = new Held("", 0, 0);

        Receipt receipt(String shown) {
            String token = Long.toString(micros, RADIX) + '.' + Integer.toString(tries, RADIX);
            return Receipt.of(shown, shown.equals(row) ? token : token + DERIVED_MARK);
        }

        /** Reads a receipt; one of another storage is that of no message. */
        static Held of(Receipt receipt) {
            String token = receipt.token();
            boolean derived = token.endsWith(DERIVED_MARK);
            String plain = derived ? token.substring(0, token.length() - DERIVED_MARK.length()) : token;
            int dot = plain.indexOf('.');
            if (dot < 1 || receipt.id().indexOf('\0') >= 0) {
                return NONE;
            }
            try {
                return new Held(
                        derived ? Ids.row(receipt.id()) : receipt.id(),
                        Long.parseLong(plain, 0, dot, RADIX),
                        Integer.parseInt(plain, dot + 1, plain.length(), RADIX));
            } catch (NumberFormatException e) {
                return NONE;
            }
        }
    }
}

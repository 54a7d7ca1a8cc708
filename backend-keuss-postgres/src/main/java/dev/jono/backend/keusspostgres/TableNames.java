package dev.jono.backend.keusspostgres;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of tables and indexes. keuss puts {@code _k_tbl_} before the name of a queue, and PostgreSQL cuts names after 63 bytes,
 * so keuss mixes up queues with long names. The table of such a queue has a name of Jono's, and a comment with the name of the
 * queue. keuss does not share it. Names of queues have ASCII letters, digits and signs without quotation marks. Stateless.
 */
final class TableNames {
    /** The longest name of a queue that keuss can share: the table has 63 bytes, and so has its index. */
    static final int MAX_SHARED = 51;

    static final String COMMENT = "Jono queue ";

    private static final String PREFIX = "_k_tbl_";
    private static final int KEPT = 18;
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9_.:{}@/+~#=-]{1," + MAX_SHARED + "}");

    private TableNames() {}

    static String table(String queue) {
        return PREFIX + (queue.length() <= MAX_SHARED ? queue : queue.substring(0, KEPT) + '~' + digest(queue));
    }

    private static String digest(String queue) {
        return UUID.nameUUIDFromBytes(queue.getBytes(StandardCharsets.US_ASCII))
                .toString()
                .replace("-", "");
    }

    /** The index of due times, as keuss names it: the quotation marks are part of the name. */
    static String index(String queue) {
        return "idx_\"" + table(queue) + "\"_mature";
    }

    /** Jono's index of held messages. */
    static String heldIndex(String queue) {
        return "jono_held_" + table(queue).substring(PREFIX.length());
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /**
     * The queue of a table; null if Jono allows no queue of that name.
     *
     * @param comment the comment of the table; null without one
     */
    static @Nullable String queue(String table, @Nullable String comment) {
        String name = table.substring(PREFIX.length());
        if (comment != null && comment.startsWith(COMMENT)) {
            String full = comment.substring(COMMENT.length());
            if (table(full).equals(table)) {
                return full;
            }
        }
        return LEGAL.matcher(name).matches() ? name : null;
    }
}

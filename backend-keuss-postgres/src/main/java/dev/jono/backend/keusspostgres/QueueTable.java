package dev.jono.backend.keusspostgres;

import java.util.function.UnaryOperator;

/**
 * The table of a queue, as statements name it.
 *
 * @param name its name with the schema, quoted
 * @param prepared whether it has Jono's column {@value #DUE_COLUMN}, and the index of held messages
 */
record QueueTable(String name, boolean prepared) implements UnaryOperator<String> {
    /** Jono's column: when a reserved message was due before. Null in rows that keuss writes. */
    static final String DUE_COLUMN = "_jono_due";

    /** The statement on this table: {@code $table} is the table, and {@code $due} Jono's column of a table {@code m}. */
    @Override
    public String apply(String sql) {
        return sql.replace("$due", prepared ? "m." + DUE_COLUMN : "NULL::timestamptz")
                .replace("$table", name);
    }
}

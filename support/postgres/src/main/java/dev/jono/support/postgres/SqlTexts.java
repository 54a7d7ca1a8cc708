package dev.jono.support.postgres;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The texts of statements. In the code they name the schema {@code jono}; where the tables are in another schema, its name
 * takes that place. Names carry their schema, because a search path is lost with a pooler in between. Thread-safe.
 */
final class SqlTexts {
    private static final String IN_CODE = PostgresOptions.DEFAULT_SCHEMA + ".";

    private final String prefix;
    private final ConcurrentMap<String, String> texts = new ConcurrentHashMap<>();

    SqlTexts(String schema) {
        this.prefix = schema.equals(PostgresOptions.DEFAULT_SCHEMA) ? IN_CODE : '"' + schema + "\".";
    }

    /** The statement for the schema; {@code sql} is a constant, because each one is kept. */
    String of(String sql) {
        return prefix.equals(IN_CODE) ? sql : texts.computeIfAbsent(sql, this::replaced);
    }

    String replaced(String sql) {
        return sql.replace(IN_CODE, prefix);
    }
}

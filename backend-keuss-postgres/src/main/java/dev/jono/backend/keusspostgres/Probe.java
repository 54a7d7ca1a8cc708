package dev.jono.backend.keusspostgres;

import dev.jono.spi.ProbeResult;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Finds when each of many queues has a message to hand out. Used by one thread, for one call. */
final class Probe {
    /** A statement locks each table that it reads. PostgreSQL has room for some thousands of locks. */
    private static final int TABLES_PER_STATEMENT = 100;

    private static final String EARLIEST = "SELECT " + MessageRow.micros("clock_timestamp()") + ", "
            + MessageRow.micros("(SELECT min(mature) FROM $table)");

    private final SqlTransaction tx;
    private final Tables tables;

    Probe(SqlTransaction tx, Tables tables) {
        this.tx = tx;
        this.tables = tables;
    }

    ProbeResult run(Collection<String> queues) throws SQLException {
        List<Map.Entry<String, QueueTable>> found = List.copyOf(new TreeMap<>(tables.findAll(tx, queues)).entrySet());
        Map<String, Long> next = new HashMap<>();
        for (int from = 0; from < found.size(); from += TABLES_PER_STATEMENT) {
            read(found.subList(from, Math.min(found.size(), from + TABLES_PER_STATEMENT)), next);
        }
        return ProbeResult.builder()
                .nextMillis(next)
                .storageMillis(tx.nowMillis())
                .build();
    }

    /** The rows come in the order of the parts of the statement. */
    private void read(List<Map.Entry<String, QueueTable>> some, Map<String, Long> next) throws SQLException {
        UnaryOperator<String> ofAll = one -> SqlTransaction.BY_INDEX
                + some.stream().map(each -> each.getValue().apply(one)).collect(Collectors.joining(" UNION ALL "));
        try (PreparedStatement probe = tx.prepare(EARLIEST, ofAll);
                ResultSet rows = SqlTransaction.resultAfter(1, probe)) {
            for (Map.Entry<String, QueueTable> each : some) {
                rows.next();
                next.put(each.getKey(), HandOuts.millisUntil(rows, 2, rows.getLong(1), 0));
            }
        }
    }
}

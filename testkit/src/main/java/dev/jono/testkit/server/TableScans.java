package dev.jono.testkit.server;

import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * Shows whether statements read a whole table of PostgreSQL: the server counts the scans of each table. A connection reports its
 * scans when it ends, at the latest. Thread-safe.
 */
public final class TableScans {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TestSchema schema;
    private final String table;

    /** The scans of a table in this schema. */
    public TableScans(TestSchema schema, String table) {
        this.schema = schema;
        this.table = table;
    }

    /**
     * What the server has counted.
     *
     * @param whole how often the table was read as a whole
     * @param wholeRows how many rows that were in all
     * @param byIndex how often it was read by one of its indexes
     */
    public record Counted(long whole, long wholeRows, long byIndex) {}

    /** Lets the server see how large the table is: plans that it makes from now on suit that size. */
    public void vacuum() {
        var unused = schema.query("VACUUM ANALYZE " + schema.name() + ".\"" + table + '"');
    }

    /** Waits until the server has counted more than this number of reads by an index. */
    public Counted awaitMoreThan(long byIndex) {
        return Awaitility.await("the statistics of the server")
                .atMost(PATIENCE)
                .until(this::read, counted -> counted.byIndex > byIndex);
    }

    /** Waits until the server has counted more than this number of entries that were read from an index, and returns it. */
    public long awaitEntriesRead(String index, long moreThan) {
        return Awaitility.await("the statistics of the server")
                .atMost(PATIENCE)
                .until(
                        () -> number("idx_tup_read", "pg_stat_all_indexes", "indexrelname", index),
                        read -> read > moreThan);
    }

    private Counted read() {
        return new Counted(number("seq_scan"), number("seq_tup_read"), number("idx_scan"));
    }

    private long number(String column) {
        return number(column, "pg_stat_all_tables", "relname", table);
    }

    private long number(String column, String view, String nameColumn, String name) {
        return Long.parseLong(String.valueOf(schema.query("SELECT " + column + " FROM " + view + " WHERE schemaname = '"
                        + schema.name() + "' AND " + nameColumn + " = '" + name + "'")
                .get(0)));
    }
}

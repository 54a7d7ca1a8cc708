package dev.jono.backend.sqlite;

import dev.jono.spi.Counter;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.spi.SteadyClock;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Counters and paused flags in the file of the queues. Thread-safe. */
final class SqliteStats implements StatsStore {
    private static final String ADD = "INSERT INTO stat(namespace, queue, counter, value) VALUES(?, ?, ?, ?)"
            + " ON CONFLICT DO UPDATE SET value=value+excluded.value";
    private static final String READ = "SELECT counter, value FROM stat WHERE namespace=? AND queue=?";
    private static final String PAUSED = "SELECT queue FROM paused WHERE namespace=?";
    private static final String PAUSE = "INSERT OR IGNORE INTO paused(namespace, queue) VALUES(?, ?)";
    private static final String RESUME = "DELETE FROM paused WHERE namespace=? AND queue=?";
    private static final String QUEUES =
            "SELECT queue FROM stat WHERE namespace=?1 UNION SELECT queue FROM paused WHERE namespace=?1";

    private static final Map<String, Counter> COUNTERS = new HashMap<>();

    static {
        for (Counter counter : Counter.values()) {
            COUNTERS.put(name(counter), counter);
        }
    }

    private final FileHandle handle;
    private final Executor executor;
    private final String namespace;
    private final SteadyClock clock;
    /** The time without use after which counters expire, in milliseconds; 0 if they do not expire. */
    private final long expireMillis;

    /**
     * Creates stats on a file.
     *
     * @param handle is closed with these stats
     */
    SqliteStats(PluginConfig config, FileHandle handle, long expireMillis) {
        this.handle = handle;
        this.executor = config.executor();
        this.namespace = config.namespace();
        this.clock = handle.file().storageClock(config.clock());
        this.expireMillis = expireMillis;
        if (expireMillis > 0) {
            handle.file().expireStats();
        }
    }

    private static String name(Counter counter) {
        return counter.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
        Map<String, Map<Counter, Long>> copy = new HashMap<>();
        deltas.forEach((queue, counts) -> copy.put(queue, Map.copyOf(counts)));
        return handle.file().write(copy.size(), Command.work(tx -> {
            for (Map.Entry<String, Map<Counter, Long>> queue : copy.entrySet()) {
                for (Map.Entry<Counter, Long> count : queue.getValue().entrySet()) {
                    PreparedStatement add = tx.connection().prepare(ADD);
                    add.setString(1, namespace);
                    add.setString(2, queue.getKey());
                    add.setString(3, name(count.getKey()));
                    add.setLong(4, count.getValue());
                    add.executeUpdate();
                }
                renewExpiry(tx, queue.getKey());
            }
        }));
    }

    @Override
    public CompletionStage<Map<Counter, Long>> read(String queue) {
        return handle.file().read(executor, connection -> {
            PreparedStatement read = connection.prepare(READ);
            read.setString(1, namespace);
            read.setString(2, queue);
            Map<Counter, Long> counts = new EnumMap<>(Counter.class);
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    Counter counter = COUNTERS.get(rows.getString(1));
                    // A newer version may have counters that this one does not know.
                    if (counter != null) {
                        counts.put(counter, rows.getLong(2));
                    }
                }
            }
            return counts;
        });
    }

    private void renewExpiry(Transaction tx, String queue) throws SQLException {
        if (expireMillis > 0) {
            StatsExpiry.renew(tx, namespace, queue, tx.now(clock) + expireMillis);
        }
    }

    @Override
    public CompletionStage<Void> clear(String queue) {
        return handle.file().write(1, Command.work(tx -> update(tx, StatsExpiry.CLEAR_COUNTERS, queue)));
    }

    @Override
    public CompletionStage<Set<String>> paused(Collection<String> queues) {
        Set<String> wanted = Set.copyOf(queues);
        return handle.file().read(executor, connection -> {
            Set<String> paused = names(connection, PAUSED);
            paused.retainAll(wanted);
            return paused;
        });
    }

    @Override
    public CompletionStage<Void> setPaused(String queue, boolean paused) {
        return handle.file().write(1, Command.work(tx -> {
            update(tx, paused ? PAUSE : RESUME, queue);
            renewExpiry(tx, queue);
        }));
    }

    @Override
    public CompletionStage<Boolean> delete(String queue) {
        return handle.file().write(1, tx -> {
            update(tx, StatsExpiry.CLEAR_COUNTERS, queue);
            if (expireMillis > 0) {
                StatsExpiry.forget(tx, namespace, queue);
            }
            return update(tx, RESUME, queue) > 0;
        });
    }

    @Override
    public CompletionStage<Set<String>> queues() {
        return handle.file().read(executor, connection -> names(connection, QUEUES));
    }

    private int update(Transaction tx, String sql, String queue) throws SQLException {
        PreparedStatement statement = tx.connection().prepare(sql);
        statement.setString(1, namespace);
        statement.setString(2, queue);
        return statement.executeUpdate();
    }

    private Set<String> names(SqliteConnection connection, String sql) throws SQLException {
        PreparedStatement select = connection.prepare(sql);
        select.setString(1, namespace);
        Set<String> names = new HashSet<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    @Override
    public void close() {
        handle.close();
    }
}

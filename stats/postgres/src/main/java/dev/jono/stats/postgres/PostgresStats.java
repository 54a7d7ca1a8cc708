package dev.jono.stats.postgres;

import dev.jono.spi.Counter;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import dev.jono.support.postgres.SqlWork;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Counters and paused flags of one namespace. Its calls run on threads of the factory. Thread-safe. */
final class PostgresStats implements StatsStore {
    private static final String ADD = "INSERT INTO jono.stat AS s (namespace, queue, counter, value)"
            + " SELECT ?, r.queue, r.counter, r.value FROM unnest(?::text[], ?::text[], ?::bigint[])"
            + " AS r(queue, counter, value) ORDER BY r.queue COLLATE \"C\", r.counter COLLATE \"C\""
            + " ON CONFLICT (namespace, queue, counter) DO UPDATE SET value = s.value + EXCLUDED.value";
    private static final String READ = "SELECT counter, value FROM jono.stat WHERE namespace = ? AND queue = ?";
    private static final String CLEAR = "DELETE FROM jono.stat WHERE namespace = ? AND queue = ?";
    private static final String PAUSED =
            "SELECT queue FROM jono.paused WHERE namespace = ? AND queue = ANY (?::text[])";
    private static final String PAUSE =
            "INSERT INTO jono.paused (namespace, queue) VALUES (?, ?) ON CONFLICT DO NOTHING";
    private static final String RESUME = "DELETE FROM jono.paused WHERE namespace = ? AND queue = ?";
    private static final String QUEUES = "SELECT queue FROM jono.stat WHERE namespace = ?"
            + " UNION SELECT queue FROM jono.paused WHERE namespace = ?";
    private static final String RENEW = "INSERT INTO jono.stat_expiry (namespace, queue, until)"
            + " SELECT ?, queue, jono.millis() + ? FROM unnest(?::text[]) AS queue ORDER BY queue COLLATE \"C\""
            + " ON CONFLICT (namespace, queue) DO UPDATE SET until = EXCLUDED.until";
    private static final String FORGET_EXPIRY = "DELETE FROM jono.stat_expiry WHERE namespace = ? AND queue = ?";

    /** Deletes the counters of up to 100 queues that have expired; a paused queue does not expire. */
    private static final String EXPIRE = "WITH expired AS (DELETE FROM jono.stat_expiry WHERE (namespace, queue) IN"
            + " (SELECT namespace, queue FROM jono.stat_expiry e WHERE until <= (SELECT jono.millis()) AND NOT EXISTS"
            + " (SELECT 1 FROM jono.paused p WHERE p.namespace = e.namespace AND p.queue = e.queue)"
            + " ORDER BY namespace, queue LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING namespace, queue)"
            + " DELETE FROM jono.stat s USING expired x WHERE s.namespace = x.namespace AND s.queue = x.queue";

    private static final Map<String, Counter> COUNTERS = new HashMap<>();

    static {
        for (Counter counter : Counter.values()) {
            COUNTERS.put(name(counter), counter);
        }
    }

    private final PostgresLink link;
    private final Executor executor;
    private final String namespace;
    /** The time without use after which counters expire, in milliseconds; 0 if they do not expire. */
    private final long expireMillis;

    PostgresStats(PostgresLink link, PluginConfig config, long expireMillis) {
        this.link = link;
        this.executor = config.executor();
        this.namespace = config.namespace();
        this.expireMillis = expireMillis;
    }

    private static String name(Counter counter) {
        return counter.name().toLowerCase(Locale.ROOT);
    }

    private <R> CompletionStage<R> run(String step, SqlWork<R> work) {
        return PostgresLink.async(
                executor,
                () -> link.transaction(step, null, tx -> {
                    expire(tx);
                    return work.run(tx);
                }));
    }

    private void expire(SqlTransaction tx) throws SQLException {
        if (expireMillis > 0) {
            try (PreparedStatement expire = tx.prepare(EXPIRE)) {
                expire.executeUpdate();
            }
        }
    }

    private void renewExpiry(SqlTransaction tx, Collection<String> queues) throws SQLException {
        if (expireMillis > 0) {
            try (PreparedStatement renew = tx.prepare(RENEW)) {
                renew.setString(1, namespace);
                renew.setLong(2, expireMillis);
                renew.setArray(3, tx.texts(queues));
                renew.executeUpdate();
            }
        }
    }

    @Override
    public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
        Map<String, Map<Counter, Long>> copy = new TreeMap<>();
        deltas.forEach((queue, counts) -> copy.put(queue, Map.copyOf(counts)));
        if (copy.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return this.<Boolean>run("adding to the stats", tx -> {
                    List<String> queues = new ArrayList<>();
                    List<String> counters = new ArrayList<>();
                    List<Long> values = new ArrayList<>();
                    copy.forEach((queue, counts) -> counts.forEach((counter, value) -> {
                        queues.add(queue);
                        counters.add(name(counter));
                        values.add(value);
                    }));
                    try (PreparedStatement add = tx.prepare(ADD)) {
                        add.setString(1, namespace);
                        add.setArray(2, tx.texts(queues));
                        add.setArray(3, tx.texts(counters));
                        add.setArray(4, tx.longs(values));
                        add.executeUpdate();
                    }
                    renewExpiry(tx, copy.keySet());
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Map<Counter, Long>> read(String queue) {
        return run("reading the stats", tx -> {
            Map<Counter, Long> counts = new EnumMap<>(Counter.class);
            try (PreparedStatement read = tx.prepare(READ)) {
                read.setString(1, namespace);
                read.setString(2, queue);
                try (ResultSet rows = read.executeQuery()) {
                    while (rows.next()) {
                        Counter counter = COUNTERS.get(rows.getString(1));
                        // A newer version may have counters that this one does not know.
                        if (counter != null) {
                            counts.put(counter, rows.getLong(2));
                        }
                    }
                }
            }
            return counts;
        });
    }

    @Override
    public CompletionStage<Void> clear(String queue) {
        return run("clearing the stats", tx -> update(tx, CLEAR, queue)).thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Set<String>> paused(Collection<String> queues) {
        List<String> wanted = List.copyOf(queues);
        if (wanted.isEmpty()) {
            return CompletableFuture.completedFuture(Set.of());
        }
        return run("reading the paused flags", tx -> {
            try (PreparedStatement select = tx.prepare(PAUSED)) {
                select.setString(1, namespace);
                select.setArray(2, tx.texts(wanted));
                return names(select);
            }
        });
    }

    private static Set<String> names(PreparedStatement select) throws SQLException {
        Set<String> names = new HashSet<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    @Override
    public CompletionStage<Void> setPaused(String queue, boolean paused) {
        return this.<Boolean>run("setting the paused flag", tx -> {
                    update(tx, paused ? PAUSE : RESUME, queue);
                    renewExpiry(tx, List.of(queue));
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Boolean> delete(String queue) {
        return run("deleting the stats", tx -> {
            update(tx, CLEAR, queue);
            update(tx, FORGET_EXPIRY, queue);
            return update(tx, RESUME, queue) > 0;
        });
    }

    @Override
    public CompletionStage<Set<String>> queues() {
        return run("listing the stats", tx -> {
            try (PreparedStatement select = tx.prepare(QUEUES)) {
                select.setString(1, namespace);
                select.setString(2, namespace);
                return names(select);
            }
        });
    }

    private int update(SqlTransaction tx, String sql, String queue) throws SQLException {
        try (PreparedStatement statement = tx.prepare(sql)) {
            statement.setString(1, namespace);
            statement.setString(2, queue);
            return statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        link.close();
    }
}

package dev.jono.jobs.postgres;

import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes records within a transaction, with one statement for any number, then the changed counts. Used by one thread. */
final class RecordWrite {
    /** The records to store, in the order of their ids: so rows are locked in that order. */
    private static final String RECORDS =
            " FROM unnest(?::text[], ?::integer[], ?::integer[], ?::bigint[], ?::text[], ?::text[],"
                    + " ?::text[]) AS r(type, state, attempt, until, tags, document, id)";

    private static final String BEFORE =
            "SELECT id, type, state, attempt FROM jono.job WHERE id = ANY (?::text[]) ORDER BY id FOR UPDATE";
    private static final String ADD = "INSERT INTO jono.job (type, state, attempt, changed, until, tags, document, id)"
            + " SELECT r.type, r.state, r.attempt, ?::bigint, r.until, r.tags::text[], r.document, r.id" + RECORDS
            + " ORDER BY r.id ON CONFLICT (id) DO NOTHING RETURNING id";
    private static final String REPLACE = "UPDATE jono.job j SET type = r.type, state = r.state, attempt = r.attempt,"
            + " changed = ?::bigint, until = r.until, tags = r.tags::text[], document = r.document" + RECORDS
            + " WHERE j.id = r.id RETURNING j.id";
    private static final List<String> REMOVE = List.of(
            "DELETE FROM jono.job WHERE id = ANY (?::text[])", "DELETE FROM jono.job_log WHERE id = ANY (?::text[])");
    private static final String COUNT = "INSERT INTO jono.job_count AS c (type, state, number) VALUES (?, ?, ?)"
            + " ON CONFLICT (type, state) DO UPDATE SET number = c.number + EXCLUDED.number";
    private static final String TAG = "INSERT INTO jono.job_tag (type, tag, state, changed, id)"
            + " SELECT r.type, t.tag, r.state, ?::bigint, r.id" + RECORDS
            + ", unnest(r.tags::text[]) AS t(tag) RETURNING id";
    private static final String UNTAG = "DELETE FROM jono.job_tag WHERE id = ANY (?::text[])";

    private final SqlTransaction tx;
    private final long now;
    private final LogTable log;
    /** How the numbers of records change, by type and state. */
    private final Map<String, Map<RecordState, Integer>> counts = new TreeMap<>();

    RecordWrite(SqlTransaction tx) throws SQLException {
        this.tx = tx;
        this.now = tx.nowMillis();
        this.log = new LogTable(tx);
    }

    /** The stored columns that a write needs. */
    private record Before(String type, RecordState state, int attempt) {}

    /** Writes records. The changes of one job take effect in their order: the second one of each job after all first ones. */
    List<WriteOutcome> write(List<RecordChange> changes) throws SQLException {
        WriteOutcome[] outcomes = new WriteOutcome[changes.size()];
        List<Integer> left = IntStream.range(0, changes.size()).boxed().toList();
        while (!left.isEmpty()) {
            SortedMap<String, Integer> firsts = new TreeMap<>();
            List<Integer> later = new ArrayList<>();
            for (Integer place : left) {
                if (firsts.putIfAbsent(changes.get(place).id(), place) != null) {
                    later.add(place);
                }
            }
            Map<String, WriteOutcome> written =
                    writeEach(firsts.values().stream().map(changes::get).toList());
            firsts.forEach((id, place) -> outcomes[place] = Objects.requireNonNull(written.get(id)));
            left = later;
        }
        return List.of(outcomes);
    }

    /** Writes records of different jobs. Most changes are the first one of their job, which one statement stores. */
    private Map<String, WriteOutcome> writeEach(List<RecordChange> changes) throws SQLException {
        Set<String> added =
                store(ADD, changes.stream().filter(change -> !change.reopens()).toList());
        Map<String, WriteOutcome> outcomes = new HashMap<>();
        List<RecordChange> stored = new ArrayList<>();
        List<RecordChange> others = new ArrayList<>();
        for (RecordChange change : changes) {
            if (added.contains(change.id())) {
                outcomes.put(change.id(), WriteOutcome.STORED);
                stored.add(change);
            } else {
                others.add(change);
            }
        }
        List<RecordChange> replacing = new ArrayList<>();
        Map<String, Before> before = find(each(others, RecordChange::id));
        for (RecordChange change : others) {
            Before old = before.get(change.id());
            WriteOutcome outcome =
                    old == null ? WriteOutcome.ENDED : outcome(old, change); // there is nothing to reopen
            outcomes.put(change.id(), outcome);
            if (old != null && outcome == WriteOutcome.STORED) {
                count(old.type, old.state, -1);
                replacing.add(change);
            }
        }
        update(UNTAG, each(replacing, RecordChange::id));
        store(REPLACE, replacing);
        stored.addAll(replacing);
        finish(stored);
        return outcomes;
    }

    /** Finds records by their ids, and locks them until the transaction ends. */
    private Map<String, Before> find(List<String> ids) throws SQLException {
        Map<String, Before> found = new HashMap<>();
        if (!ids.isEmpty()) {
            try (PreparedStatement select = tx.prepareAnew(BEFORE)) {
                select.setArray(1, tx.texts(ids));
                try (ResultSet row = select.executeQuery()) {
                    while (row.next()) {
                        found.put(
                                row.getString(1),
                                new Before(row.getString(2), RecordTable.state(row.getInt(3)), row.getInt(4)));
                    }
                }
            }
        }
        return found;
    }

    private static WriteOutcome outcome(Before before, RecordChange change) {
        if (change.reopens()) {
            return before.state == RecordState.FAILED ? WriteOutcome.STORED : WriteOutcome.ENDED;
        }
        if (before.state.isEnded()) {
            return WriteOutcome.ENDED;
        }
        return change.state() == RecordState.OPEN && change.attempt() < before.attempt
                ? WriteOutcome.STALE
                : WriteOutcome.STORED;
    }

    /** Stores what belongs to records that were stored: counts, tags and log lines. */
    private void finish(List<RecordChange> stored) throws SQLException {
        store(TAG, stored.stream().filter(change -> !change.tags().isEmpty()).toList());
        for (RecordChange change : stored) {
            count(change.type(), change.state(), 1);
            if (!change.logLines().isEmpty()) {
                log.add(change.id(), change.logLines());
            }
        }
    }

    /** Runs a statement on {@link #RECORDS}; returns the ids of the records that it stored. */
    private Set<String> store(String sql, List<RecordChange> changes) throws SQLException {
        Set<String> stored = new HashSet<>();
        if (changes.isEmpty()) {
            return stored;
        }
        List<String> tags = new ArrayList<>(changes.size());
        for (RecordChange change : changes) {
            tags.add(change.tags().isEmpty() ? "{}" : String.valueOf(tx.texts(change.tags())));
        }
        try (PreparedStatement store = tx.prepareAnew(sql)) {
            store.setLong(1, now);
            store.setArray(2, tx.texts(each(changes, RecordChange::type)));
            store.setArray(3, integers(changes, change -> RecordTable.number(change.state())));
            store.setArray(4, integers(changes, RecordChange::attempt));
            store.setArray(
                    5,
                    tx.array("bigint", changes.stream().map(this::untilMillis).toArray(Long[]::new)));
            store.setArray(6, tx.texts(tags));
            store.setArray(7, tx.texts(each(changes, RecordChange::document)));
            store.setArray(8, tx.texts(each(changes, RecordChange::id)));
            try (ResultSet ids = store.executeQuery()) {
                while (ids.next()) {
                    stored.add(ids.getString(1));
                }
            }
        }
        return stored;
    }

    private static List<String> each(List<RecordChange> changes, Function<RecordChange, String> value) {
        return changes.stream().map(value).toList();
    }

    private Array integers(List<RecordChange> changes, Function<RecordChange, Integer> value) throws SQLException {
        return tx.array("integer", changes.stream().map(value).toArray(Integer[]::new));
    }

    private @Nullable Long untilMillis(RecordChange change) {
        Long keep = change.keepMillis();
        return keep == null ? null : (Long) (now + keep);
    }

    private void update(String sql, Collection<String> ids) throws SQLException {
        if (!ids.isEmpty()) {
            try (PreparedStatement statement = tx.prepareAnew(sql)) {
                statement.setArray(1, tx.texts(ids));
                statement.executeUpdate();
            }
        }
    }

    private void count(String type, RecordState state, int by) {
        counts.computeIfAbsent(type, key -> new EnumMap<>(RecordState.class)).merge(state, by, Integer::sum);
    }

    /** Stores the counts, always in the same order. Called once, after all records, because others wait for these rows. */
    void storeCounts() throws SQLException {
        for (Map.Entry<String, Map<RecordState, Integer>> type : counts.entrySet()) {
            for (Map.Entry<RecordState, Integer> state : type.getValue().entrySet()) {
                try (PreparedStatement count = tx.prepare(COUNT)) {
                    count.setString(1, type.getKey());
                    count.setInt(2, RecordTable.number(state.getKey()));
                    count.setInt(3, state.getValue());
                    count.executeUpdate();
                }
            }
        }
    }

    /** Removes records; returns the ids of those that were there. */
    Set<String> remove(List<String> ids) throws SQLException {
        Map<String, Before> before = find(ids);
        update(UNTAG, before.keySet());
        for (String sql : REMOVE) {
            update(sql, before.keySet());
        }
        before.values().forEach(record -> count(record.type, record.state, -1));
        return new HashSet<>(before.keySet());
    }
}

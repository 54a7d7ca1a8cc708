package dev.jono.jobs.sqlite;

import dev.jono.backend.sqlite.SqliteFile;
import dev.jono.backend.sqlite.SqliteFile.Statements;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredEvent;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A job store in the SQLite file of the queues. Thread-safe. */
final class SqliteJobStore implements JobStore {
    private static final String COLUMNS = "id, type, state, attempt, document, changed, until";
    private static final String READ = "SELECT " + COLUMNS + " FROM job WHERE id=?";
    private static final String EXPIRED = "SELECT " + COLUMNS + " FROM job WHERE until<=? ORDER BY until LIMIT ?";
    private static final String IS_OVER = "SELECT 1 FROM job WHERE id=? AND until<=?";
    private static final String POSTPONE = "UPDATE job SET until=? WHERE id=? AND until<=?";
    private static final String LOG = "SELECT time, attempt, text FROM job_log WHERE id=? ORDER BY line DESC LIMIT ?";
    private static final String COUNTS = "SELECT type, state, number FROM job_count WHERE number>0";
    private static final String FIND = "SELECT " + COLUMNS + " FROM job WHERE type=?1 AND state=?2"
            + " AND changed<=?3 AND (changed<?3 OR id>?4) ORDER BY changed DESC, id LIMIT ?5";
    private static final String OLDEST =
            "SELECT id FROM job WHERE type=? AND state=? ORDER BY changed, id DESC LIMIT ?";
    private static final String FIND_TAG = "SELECT job.id, job.type, job.state, attempt, document, job.changed, until"
            + " FROM job_tag JOIN job ON job.id=job_tag.id WHERE job_tag.type=?1 AND job_tag.tag=?6 AND job_tag.state=?2"
            + " AND job_tag.changed<=?3 AND (job_tag.changed<?3 OR job_tag.id>?4)"
            + " ORDER BY job_tag.changed DESC, job_tag.id LIMIT ?5";

    private final SqliteFile file;
    private final Executor executor;
    /** Whether the tables are there. Until then each call creates them first. */
    private volatile boolean created;

    SqliteJobStore(SqliteFile file, Executor executor) {
        this.file = file;
        this.executor = executor;
    }

    private CompletionStage<Boolean> create() {
        if (created) {
            return CompletableFuture.completedFuture(true);
        }
        return file.write(1, (statements, now) -> {
                    Tables.create(statements);
                    return true;
                })
                .thenApply(done -> {
                    created = true;
                    return done;
                });
    }

    private <R> CompletionStage<R> write(int weight, SqliteFile.Write<R> write) {
        return create().thenCompose(done -> file.write(weight, write));
    }

    private <R> CompletionStage<R> read(SqliteFile.Read<R> read) {
        return create().thenCompose(done -> file.read(executor, read));
    }

    @Override
    public CompletionStage<List<WriteOutcome>> write(List<RecordChange> changes) {
        List<RecordChange> copy = List.copyOf(changes);
        return write(copy.size(), (statements, now) -> {
            List<WriteOutcome> outcomes = new ArrayList<>(copy.size());
            RecordWrite records = new RecordWrite(statements, now);
            for (RecordChange change : copy) {
                outcomes.add(records.write(change));
            }
            records.storeCounts();
            return outcomes;
        });
    }

    @Override
    public CompletionStage<Map<String, StoredRecord>> read(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        return read(statements -> {
            Map<String, StoredRecord> found = new LinkedHashMap<>();
            for (String id : copy) {
                PreparedStatement read = statements.prepare(READ);
                read.setString(1, id);
                records(read).forEach(record -> found.put(record.id(), record));
            }
            return found;
        });
    }

    private static List<StoredRecord> records(PreparedStatement select) throws SQLException {
        List<StoredRecord> records = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                records.add(record(rows));
            }
        }
        return records;
    }

    private static StoredRecord record(ResultSet row) throws SQLException {
        long until = row.getLong(7);
        @Nullable Long keepUntil = row.wasNull() ? null : (Long) until;
        return new StoredRecord(
                row.getString(1),
                row.getString(2),
                RecordWrite.state(row.getInt(3)),
                row.getInt(4),
                row.getString(5),
                row.getLong(6),
                keepUntil);
    }

    @Override
    public CompletionStage<List<LogLine>> log(String id, int max) {
        return read(statements -> {
            PreparedStatement read = statements.prepare(LOG);
            read.setString(1, id);
            read.setInt(2, max);
            List<LogLine> lines = new ArrayList<>();
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    lines.add(new LogLine(rows.getLong(1), rows.getInt(2), rows.getString(3)));
                }
            }
            Collections.reverse(lines);
            return lines;
        });
    }

    @Override
    public CompletionStage<List<Boolean>> remove(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        return write(copy.size(), (statements, now) -> {
            List<Boolean> removed = new ArrayList<>(copy.size());
            RecordWrite records = new RecordWrite(statements, now);
            for (String id : copy) {
                removed.add(records.remove(id));
            }
            records.storeCounts();
            return removed;
        });
    }

    @Override
    public CompletionStage<List<Boolean>> removeExpired(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        return write(copy.size(), (statements, now) -> {
            List<Boolean> removed = new ArrayList<>(copy.size());
            RecordWrite records = new RecordWrite(statements, now);
            for (String id : copy) {
                removed.add(isOver(statements, id, now) && records.remove(id));
            }
            records.storeCounts();
            return removed;
        });
    }

    private static boolean isOver(Statements statements, String id, long now) throws SQLException {
        PreparedStatement select = statements.prepare(IS_OVER);
        select.setString(1, id);
        select.setLong(2, now);
        try (ResultSet rows = select.executeQuery()) {
            return rows.next();
        }
    }

    @Override
    public CompletionStage<Void> postpone(List<String> ids, long keepMillis) {
        List<String> copy = List.copyOf(ids);
        return write(copy.size(), (statements, now) -> {
                    for (String id : copy) {
                        PreparedStatement postpone = statements.prepare(POSTPONE);
                        postpone.setLong(1, now + keepMillis);
                        postpone.setString(2, id);
                        postpone.setLong(3, now);
                        postpone.executeUpdate();
                    }
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<List<StoredRecord>> expired(int max) {
        return read(statements -> {
            PreparedStatement read = statements.prepare(EXPIRED);
            read.setLong(1, file.nowMillis());
            read.setInt(2, max);
            return records(read);
        });
    }

    @Override
    public CompletionStage<List<StoredRecord>> find(RecordQuery query) {
        return read(statements -> {
            PreparedStatement read = statements.prepare(query.tag() == null ? FIND : FIND_TAG);
            RecordQuery.Position after = query.after();
            read.setString(1, query.type());
            read.setInt(2, RecordWrite.number(query.state()));
            read.setLong(3, after == null ? Long.MAX_VALUE : after.changedMillis());
            read.setString(4, after == null ? "" : after.id());
            read.setInt(5, query.limit());
            if (query.tag() != null) {
                read.setString(6, query.tag());
            }
            return records(read);
        });
    }

    @Override
    public CompletionStage<List<String>> oldest(String type, RecordState state, int max) {
        return read(statements -> {
            PreparedStatement read = statements.prepare(OLDEST);
            read.setString(1, type);
            read.setInt(2, RecordWrite.number(state));
            read.setInt(3, max);
            List<String> ids = new ArrayList<>();
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        });
    }

    @Override
    public CompletionStage<Map<String, Map<RecordState, Long>>> counts() {
        return read(SqliteJobStore::readCounts);
    }

    private static Map<String, Map<RecordState, Long>> readCounts(Statements statements) throws SQLException {
        Map<String, Map<RecordState, Long>> counts = new HashMap<>();
        try (ResultSet rows = statements.prepare(COUNTS).executeQuery()) {
            while (rows.next()) {
                counts.computeIfAbsent(rows.getString(1), type -> new EnumMap<>(RecordState.class))
                        .put(RecordWrite.state(rows.getInt(2)), rows.getLong(3));
            }
        }
        return counts;
    }

    @Override
    public CompletionStage<List<Boolean>> changeEntries(List<EntryChange> changes) {
        List<EntryChange> copy = List.copyOf(changes);
        return write(copy.size(), (statements, now) -> {
            List<Boolean> done = new ArrayList<>(copy.size());
            for (EntryChange change : copy) {
                done.add(new Entries(statements).change(change));
            }
            return done;
        });
    }

    @Override
    public CompletionStage<EntryPage> entries(String kind, List<String> names) {
        List<String> copy = List.copyOf(names);
        return read(statements -> new EntryPage(file.nowMillis(), new Entries(statements).read(kind, copy)));
    }

    @Override
    public CompletionStage<EntryPage> listEntries(String kind, String after, int max) {
        return read(statements -> new EntryPage(file.nowMillis(), new Entries(statements).list(kind, after, max)));
    }

    @Override
    public CompletionStage<String> listenToEvents(String reader, long leaseMillis) {
        return write(1, (statements, now) -> SqliteEvents.listen(statements, reader, leaseMillis, now));
    }

    /** A process without listeners elsewhere only reads. */
    @Override
    public CompletionStage<Boolean> appendEvents(String writer, List<String> events) {
        List<String> copy = List.copyOf(events);
        return this.<Boolean>read(statements -> SqliteEvents.hasReader(statements, writer, file.nowMillis()))
                .thenCompose(heard -> !heard || copy.isEmpty()
                        ? CompletableFuture.completedFuture(heard)
                        : write(copy.size(), (statements, now) -> {
                            SqliteEvents.append(statements, copy);
                            return true;
                        }));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(String after, int max) {
        return read(statements -> SqliteEvents.read(statements, after, max));
    }

    @Override
    public void close() {
        file.close();
    }
}

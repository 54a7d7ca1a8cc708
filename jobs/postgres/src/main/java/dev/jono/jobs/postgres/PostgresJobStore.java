package dev.jono.jobs.postgres;

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
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import dev.jono.support.postgres.SqlWork;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A job store in the schema of the queues. Its calls run on threads of the factory. Thread-safe. */
final class PostgresJobStore implements JobStore {
    private static final String OVER =
            "SELECT id FROM jono.job WHERE id = ANY (?::text[]) AND until <= (SELECT jono.millis()) ORDER BY id FOR UPDATE";
    private static final String POSTPONE = "UPDATE jono.job SET until = jono.millis() + ? WHERE id = ANY (?::text[])"
            + " AND until <= (SELECT jono.millis())";

    private final PostgresLink link;
    private final Executor executor;

    PostgresJobStore(PostgresLink link, Executor executor) {
        this.link = link;
        this.executor = executor;
    }

    private <R> CompletionStage<R> write(String step, SqlWork<R> work) {
        return PostgresLink.async(executor, () -> link.transaction(step, null, work));
    }

    private <R> CompletionStage<R> read(String step, SqlWork<R> work) {
        return PostgresLink.async(executor, () -> link.single(step, null, false, work));
    }

    @Override
    public CompletionStage<List<WriteOutcome>> write(List<RecordChange> changes) {
        List<RecordChange> copy = List.copyOf(changes);
        return write("writing records of jobs", tx -> {
            RecordWrite records = new RecordWrite(tx);
            List<WriteOutcome> outcomes = records.write(copy);
            records.storeCounts();
            return outcomes;
        });
    }

    @Override
    public CompletionStage<Map<String, StoredRecord>> read(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        return read("reading records of jobs", tx -> {
            Map<String, StoredRecord> found = new LinkedHashMap<>();
            RecordTable.read(tx, copy).forEach(record -> found.put(record.id(), record));
            return found;
        });
    }

    @Override
    public CompletionStage<List<LogLine>> log(String id, int max) {
        return read("reading the log of a job", tx -> new LogTable(tx).last(id, max));
    }

    @Override
    public CompletionStage<List<Boolean>> remove(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        return write("removing records of jobs", tx -> remove(tx, copy, copy));
    }

    @Override
    public CompletionStage<List<Boolean>> removeExpired(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        return write("removing old records of jobs", tx -> remove(tx, copy, over(tx, copy)));
    }

    /** @param which those of the ids to remove */
    private static List<Boolean> remove(SqlTransaction tx, List<String> ids, List<String> which) throws SQLException {
        RecordWrite records = new RecordWrite(tx);
        Set<String> removed = records.remove(which);
        records.storeCounts();
        return ids.stream().map(removed::remove).toList(); // an id that is there twice is removed once
    }

    /** Which of these records have outlived their retention. They are locked. */
    private static List<String> over(SqlTransaction tx, List<String> ids) throws SQLException {
        List<String> over = new ArrayList<>();
        try (PreparedStatement select = tx.prepareAnew(OVER)) {
            select.setArray(1, tx.texts(ids));
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    over.add(rows.getString(1));
                }
            }
        }
        return over;
    }

    @Override
    public CompletionStage<Void> postpone(List<String> ids, long keepMillis) {
        List<String> copy = List.copyOf(ids);
        return this.<Boolean>write("keeping records of jobs", tx -> {
                    try (PreparedStatement postpone = tx.prepareAnew(POSTPONE)) {
                        postpone.setLong(1, keepMillis);
                        postpone.setArray(2, tx.texts(copy));
                        postpone.executeUpdate();
                    }
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<List<StoredRecord>> expired(int max) {
        return read("reading old records of jobs", tx -> RecordTable.expired(tx, max));
    }

    @Override
    public CompletionStage<List<StoredRecord>> find(RecordQuery query) {
        return read("reading records of jobs", tx -> RecordTable.find(tx, query));
    }

    @Override
    public CompletionStage<List<String>> oldest(String type, RecordState state, int max) {
        return read("reading records of jobs", tx -> RecordTable.oldest(tx, type, state, max));
    }

    @Override
    public CompletionStage<Map<String, Map<RecordState, Long>>> counts() {
        return read("counting records of jobs", RecordTable::counts);
    }

    /** Each change is a transaction of its own, so no two processes wait for one another. */
    @Override
    public CompletionStage<List<Boolean>> changeEntries(List<EntryChange> changes) {
        List<EntryChange> copy = List.copyOf(changes);
        return PostgresLink.async(executor, () -> {
            List<Boolean> done = new ArrayList<>(copy.size());
            for (EntryChange change : copy) {
                done.add(link.transaction("changing entries of jobs", null, tx -> new Entries(tx).change(change)));
            }
            return done;
        });
    }

    @Override
    public CompletionStage<EntryPage> entries(String kind, List<String> names) {
        List<String> copy = List.copyOf(names);
        return read("reading entries of jobs", tx -> new Entries(tx).read(kind, copy));
    }

    @Override
    public CompletionStage<EntryPage> listEntries(String kind, String after, int max) {
        return read("reading entries of jobs", tx -> new Entries(tx).list(kind, after, max));
    }

    @Override
    public CompletionStage<String> listenToEvents(String reader, long leaseMillis) {
        return write("listening to events of jobs", tx -> EventLog.listen(tx, reader, leaseMillis));
    }

    /** A process without listeners elsewhere only reads. */
    @Override
    public CompletionStage<Boolean> appendEvents(String writer, List<String> events) {
        List<String> copy = List.copyOf(events);
        return this.<Boolean>read("looking for listeners to jobs", tx -> EventLog.hasReader(tx, writer))
                .thenCompose(heard -> !heard || copy.isEmpty()
                        ? CompletableFuture.completedFuture(heard)
                        : write("writing events of jobs", tx -> {
                            EventLog.append(tx, copy);
                            return true;
                        }));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(String after, int max) {
        return read("reading events of jobs", tx -> EventLog.read(tx, after, max));
    }

    @Override
    public void close() {
        link.close();
    }
}

package dev.jono.jobs.memory;

import dev.jono.JonoClock;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** A job store in memory. Times are by the clock of its factory. Thread-safe. */
final class MemoryJobStore implements JobStore {
    private final SharedTable table;
    private final JonoClock clock;

    MemoryJobStore(SharedTable table, JonoClock clock) {
        this.table = table;
        this.clock = clock;
    }

    private <R> CompletionStage<R> call(Function<RecordTable, R> step) {
        return call(() -> table.call(step));
    }

    private <R> CompletionStage<R> callEntries(Function<EntryTable, R> step) {
        return call(() -> table.callEntries(step));
    }

    private <R> CompletionStage<R> callEvents(Function<EventLog, R> step) {
        return call(() -> table.callEvents(step));
    }

    private static <R> CompletionStage<R> call(Supplier<R> step) {
        try {
            return CompletableFuture.completedFuture(step.get());
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    @Override
    public CompletionStage<List<WriteOutcome>> write(List<RecordChange> changes) {
        long now = clock.wallMillis();
        return call(records ->
                changes.stream().map(change -> records.write(change, now)).toList());
    }

    @Override
    public CompletionStage<Map<String, StoredRecord>> read(List<String> ids) {
        return call(records -> records.read(ids));
    }

    @Override
    public CompletionStage<List<LogLine>> log(String id, int max) {
        return call(records -> records.log(id, max));
    }

    @Override
    public CompletionStage<List<Boolean>> remove(List<String> ids) {
        return call(records -> ids.stream().map(records::remove).toList());
    }

    @Override
    public CompletionStage<List<Boolean>> removeExpired(List<String> ids) {
        long now = clock.wallMillis();
        return call(records ->
                ids.stream().map(id -> records.removeExpired(id, now)).toList());
    }

    @Override
    public CompletionStage<Void> postpone(List<String> ids, long keepMillis) {
        long now = clock.wallMillis();
        return this.<Boolean>call(records -> {
                    ids.forEach(id -> records.postpone(id, now, now + keepMillis));
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<List<StoredRecord>> expired(int max) {
        long now = clock.wallMillis();
        return call(records -> records.expired(now, max));
    }

    @Override
    public CompletionStage<List<StoredRecord>> find(RecordQuery query) {
        return call(records -> records.find(query));
    }

    @Override
    public CompletionStage<List<String>> oldest(String type, RecordState state, int max) {
        return call(records -> records.oldest(type, state, max));
    }

    @Override
    public CompletionStage<Map<String, Map<RecordState, Long>>> counts() {
        return call(RecordTable::counts);
    }

    @Override
    public CompletionStage<List<Boolean>> changeEntries(List<EntryChange> changes) {
        return callEntries(entries -> changes.stream().map(entries::change).toList());
    }

    @Override
    public CompletionStage<EntryPage> entries(String kind, List<String> names) {
        return callEntries(entries -> new EntryPage(clock.wallMillis(), entries.read(kind, names)));
    }

    @Override
    public CompletionStage<EntryPage> listEntries(String kind, String after, int max) {
        return callEntries(entries -> new EntryPage(clock.wallMillis(), entries.list(kind, after, max)));
    }

    @Override
    public CompletionStage<String> listenToEvents(String reader, long leaseMillis) {
        return callEvents(events -> events.listen(reader, leaseMillis, clock.wallMillis()));
    }

    @Override
    public CompletionStage<Boolean> appendEvents(String writer, List<String> events) {
        return callEvents(log -> log.append(writer, events, clock.wallMillis()));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(String after, int max) {
        return callEvents(events -> events.read(after, max));
    }

    @Override
    public void close() {
        // The table stays for other factories on the same queues.
    }
}

package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Fields.doc;
import static dev.jono.jobs.mongo.Fields.op;

import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredEntry;
import dev.jono.jobs.spi.StoredEvent;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.support.mongo.Indexes;
import dev.jono.support.mongo.MongoLink;
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * A job store in the MongoDB database of the queues, on a replica set. One document holds the record of a job with its log. A change of
 * records is one transaction with the change of the counts. Its calls run on threads of the executor. Thread-safe.
 */
final class MongoJobStore implements JobStore {
    private static final BsonDocument ONLY_ID = doc(Fields.ID, Fields.ONE);
    private static final BsonDocument WITHOUT_LOG = doc(Fields.LOG, Fields.ZERO);
    static final BsonDocument LAST_FIRST =
            doc(Fields.CHANGED, new BsonInt32(-1)).append(Fields.ID, Fields.ONE);
    /** {@link #LAST_FIRST}, reversed. */
    static final BsonDocument OLDEST_FIRST = doc(Fields.CHANGED, Fields.ONE).append(Fields.ID, new BsonInt32(-1));

    static final BsonDocument OVER_FIRST = doc(Fields.UNTIL, Fields.ONE).append(Fields.ID, Fields.ONE);

    private final MongoLink link;
    private final Executor executor;
    private final MongoCollection<RawBsonDocument> records;
    private final Indexes indexes;
    private final Counts counts;
    private final Entries entries;
    private final MongoEvents events;
    private final RecordWrites writes;
    private final Transactions transactions;
    private final UnansweredCommits unanswered = new UnansweredCommits();

    MongoJobStore(MongoLink link, Executor executor) {
        this.link = link;
        this.executor = executor;
        this.records = link.collection(MongoLink.JOBS);
        this.indexes = new Indexes(link.lastKnownTime()::nanos, link.replicated());
        this.counts = new Counts(link.collection(MongoLink.JOB_COUNTS));
        this.entries = new Entries(link.collection(MongoLink.JOB_ENTRIES));
        this.events = new MongoEvents(link);
        this.writes = new RecordWrites(records, counts);
        this.transactions = new Transactions(link);
    }

    /** One attempt of a transaction. */
    private interface Change<R> {
        R apply(ClientSession session, boolean firstAttempt);
    }

    /** @param storing whether the change may store a record; otherwise a missing collection stays missing */
    private <R> CompletionStage<R> change(String step, boolean storing, Change<R> change) {
        return link.callAsync(executor, step, null, true, () -> {
            unanswered.settle();
            indexes.ensure(records, Fields.INDEXES, storing);
            AtomicBoolean first = new AtomicBoolean(true);
            return transactions.run(
                    step, null, session -> change.apply(session, first.getAndSet(false)), unanswered.running());
        });
    }

    private <R> CompletionStage<R> read(String step, Function<MongoCollection<RawBsonDocument>, R> read) {
        return link.callAsync(executor, step, null, false, () -> {
            indexes.ensure(records, Fields.INDEXES, false);
            return read.apply(records);
        });
    }

    @Override
    public CompletionStage<List<WriteOutcome>> write(List<RecordChange> changes) {
        List<RecordChange> copy = List.copyOf(changes);
        return copy.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : change("writing records", true, (session, first) -> writes.write(session, copy, first));
    }

    @Override
    public CompletionStage<Map<String, StoredRecord>> read(List<String> ids) {
        List<String> copy = List.copyOf(ids);
        if (copy.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return read("reading records", collection -> {
            Map<String, StoredRecord> found = new LinkedHashMap<>();
            records(collection.find(Fields.ofJobs(copy))).forEach(record -> found.put(record.id(), record));
            return found;
        });
    }

    private static List<StoredRecord> records(FindIterable<RawBsonDocument> search) {
        return search.projection(WITHOUT_LOG).map(Fields::record).into(new ArrayList<>());
    }

    @Override
    public CompletionStage<List<LogLine>> log(String id, int max) {
        BsonDocument last = doc(Fields.LOG, doc("$slice", new BsonInt32(-max))).append(Fields.DOCUMENT, Fields.ZERO);
        return read("reading a log", collection -> {
            RawBsonDocument found =
                    collection.find(Fields.ofJobs(List.of(id))).projection(last).first();
            return found == null ? List.of() : Fields.log(found);
        });
    }

    @Override
    public CompletionStage<List<Boolean>> remove(List<String> ids) {
        return remove(ids, UnaryOperator.identity());
    }

    @Override
    public CompletionStage<List<Boolean>> removeExpired(List<String> ids) {
        return remove(ids, Fields::over);
    }

    private CompletionStage<List<Boolean>> remove(List<String> ids, UnaryOperator<BsonDocument> restriction) {
        List<String> copy = List.copyOf(ids);
        if (copy.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        BsonDocument filter = restriction.apply(Fields.ofJobs(copy));
        return change("removing records", false, (session, first) -> {
            Collection<String> removed = writes.remove(session, filter, first);
            return copy.stream().map(removed::contains).toList();
        });
    }

    @Override
    public CompletionStage<Void> postpone(List<String> ids, long keepMillis) {
        if (ids.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        BsonDocument filter = Fields.over(Fields.ofJobs(ids));
        BsonDocument later = doc(Fields.UNTIL, op("$add", Fields.NOW, new BsonInt64(keepMillis)));
        return link.callAsync(
                        executor,
                        "postponing the end of records",
                        null,
                        true,
                        () -> records.updateMany(filter, List.of(doc("$set", later))))
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<List<StoredRecord>> expired(int max) {
        return read(
                "listing expired records",
                collection -> records(collection
                        .find(endedBy(link.time().latestMillis()))
                        .sort(OVER_FIRST)
                        .limit(max)));
    }

    /** Records whose retention has ended. The estimate of the time bounds the search in the index; the server's clock decides. */
    static BsonDocument endedBy(long latestMillis) {
        return Fields.over(doc(Fields.UNTIL, doc("$lte", new BsonDateTime(latestMillis))));
    }

    @Override
    public CompletionStage<List<StoredRecord>> find(RecordQuery query) {
        BsonDocument filter = filter(query);
        return read(
                "listing records",
                collection -> records(collection.find(filter).sort(LAST_FIRST).limit(query.limit())));
    }

    @Override
    public CompletionStage<List<String>> oldest(String type, RecordState state, int max) {
        BsonDocument filter = filter(new RecordQuery(type, state, null, null, max));
        return read(
                "listing the oldest records",
                collection -> collection
                        .find(filter)
                        .sort(OLDEST_FIRST)
                        .projection(ONLY_ID)
                        .limit(max)
                        .map(found -> found.getString(Fields.ID).getValue())
                        .into(new ArrayList<>()));
    }

    /** The records that a query finds, of which it reads the first ones. */
    static BsonDocument filter(RecordQuery query) {
        BsonDocument listed = doc(Fields.TYPE, new BsonString(query.type()))
                .append(Fields.STATE, new BsonString(Fields.name(query.state())));
        if (query.tag() != null) {
            listed.put(Fields.TAGS, new BsonString(query.tag()));
        }
        return query.after() == null ? listed : behind(listed, query.after());
    }

    /** Two ranges of the index, which the server merges. */
    private static BsonDocument behind(BsonDocument listed, RecordQuery.Position after) {
        BsonDateTime changed = new BsonDateTime(after.changedMillis());
        BsonDocument atOnce = listed.clone()
                .append(Fields.CHANGED, changed)
                .append(Fields.ID, doc("$gt", new BsonString(after.id())));
        BsonDocument before = listed.clone().append(Fields.CHANGED, doc("$lt", changed));
        return doc("$or", new BsonArray(List.of(atOnce, before)));
    }

    @Override
    public CompletionStage<Map<String, Map<RecordState, Long>>> counts() {
        return link.callAsync(executor, "reading the counts of records", null, false, counts::read);
    }

    @Override
    public CompletionStage<List<Boolean>> changeEntries(List<EntryChange> changes) {
        List<EntryChange> copy = List.copyOf(changes);
        return link.callAsync(
                executor,
                "changing job entries",
                null,
                true,
                () -> copy.stream().map(entries::change).toList());
    }

    @Override
    public CompletionStage<EntryPage> entries(String kind, List<String> names) {
        List<String> copy = List.copyOf(names);
        return page(() -> entries.read(kind, copy));
    }

    @Override
    public CompletionStage<EntryPage> listEntries(String kind, String after, int max) {
        return page(() -> entries.list(kind, after, max));
    }

    private CompletionStage<EntryPage> page(Supplier<List<StoredEntry>> read) {
        return link.callAsync(
                executor,
                "reading job entries",
                null,
                false,
                () -> new EntryPage(link.time().nowMillis(), read.get()));
    }

    @Override
    public CompletionStage<String> listenToEvents(String reader, long leaseMillis) {
        return link.callAsync(
                executor, "listening to events of jobs", null, true, () -> events.listen(reader, leaseMillis));
    }

    @Override
    public CompletionStage<Boolean> appendEvents(String writer, List<String> documents) {
        List<String> copy = List.copyOf(documents);
        return link.callAsync(executor, "appending events of jobs", null, true, () -> events.append(writer, copy));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(String after, int max) {
        return link.callAsync(executor, "reading events of jobs", null, false, () -> events.read(after, max));
    }

    @Override
    public void close() {
        link.close();
    }
}

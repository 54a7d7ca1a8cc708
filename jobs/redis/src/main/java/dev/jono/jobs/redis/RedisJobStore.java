package dev.jono.jobs.redis;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

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
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Script;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A job store in the Redis of the queues. Each call sends its scripts and commands for several types together. Results arrive on the
 * connection's thread. Thread-safe.
 */
final class RedisJobStore implements JobStore {
    /** Expired jobs that one script lists. */
    private static final int MAX_EXPIRED = 200;

    private static final byte[] MAX_BYTES = RedisKeys.bytes(Parts.MAX_BYTES);

    private final RedisLink link;
    private final Types types;
    private final RedisEvents events;

    RedisJobStore(RedisLink link, JonoClock clock) {
        this.link = link;
        this.types = new Types(link, clock);
        this.events = new RedisEvents(link);
    }

    private TypeKeys keys(String type) {
        return new TypeKeys(link.keys(), type);
    }

    private RecordReads reads(String type) {
        return new RecordReads(link, keys(type));
    }

    private static Parts<String> parts(List<String> ids) {
        return new Parts<>(ids, Function.identity(), id -> 0);
    }

    @Override
    public CompletionStage<List<WriteOutcome>> write(List<RecordChange> changes) {
        for (RecordChange change : changes) {
            if (!TypeKeys.typeOf(change.id()).equals(change.type())) {
                throw new IllegalArgumentException("job " + change.id() + " is not of type '" + change.type() + "'");
            }
        }
        Parts<RecordChange> parts = new Parts<>(changes, RecordChange::id, RecordWrites::size);
        return types.register(parts.types())
                .thenCompose(done -> parts.send((type, some) -> RecordWrites.send(link, keys(type), some)));
    }

    @Override
    public CompletionStage<Map<String, StoredRecord>> read(List<String> ids) {
        return records(ids).thenApply(records -> {
            Map<String, StoredRecord> found = new LinkedHashMap<>();
            records.forEach(record -> found.put(record.id(), record));
            return found;
        });
    }

    /** The records of these jobs, in their order. Jobs without a record are left out. */
    private CompletableFuture<List<StoredRecord>> records(List<String> ids) {
        return parts(ids)
                .<Optional<StoredRecord>>send((type, some) -> reads(type).read(some))
                .thenApply(records -> records.stream().flatMap(Optional::stream).toList());
    }

    @Override
    public CompletionStage<List<LogLine>> log(String id, int max) {
        return max <= 0
                ? CompletableFuture.completedFuture(List.of())
                : reads(TypeKeys.typeOf(id)).log(id, max);
    }

    @Override
    public CompletionStage<List<Boolean>> remove(List<String> ids) {
        return parts(ids).send((type, some) -> change(Scripts.REMOVE, keys(type), 0, some, new ArrayList<>()));
    }

    @Override
    public CompletionStage<List<Boolean>> removeExpired(List<String> ids) {
        return parts(ids).send((type, some) -> change(Scripts.REMOVE, keys(type), 1, some, new ArrayList<>()));
    }

    @Override
    public CompletionStage<Void> postpone(List<String> ids, long keepMillis) {
        long keep = Math.min(keepMillis, RecordWrites.MAX_KEEP_MILLIS);
        return parts(ids)
                .<Boolean>send((type, some) -> change(Scripts.POSTPONE, keys(type), keep, some, new ArrayList<>()))
                .thenAccept(done -> {});
    }

    /**
     * Runs a script until it has come to all jobs: each run stops after some bytes of records.
     *
     * @param first the first argument
     * @param results the results of the jobs before these, to which this adds
     */
    private CompletableFuture<List<Boolean>> change(
            Script script, TypeKeys keys, long first, List<String> ids, List<Boolean> results) {
        List<byte[]> args = new ArrayList<>(List.of(RedisKeys.bytes(first), MAX_BYTES));
        ids.forEach(id -> args.add(TypeKeys.stored(id)));
        byte[][] names =
                keys.all(script == Scripts.REMOVE ? ids.stream().map(keys::log).toList() : List.of());
        return link.run(script, null, names, args.toArray(byte[][]::new)).thenCompose(answer -> {
            String digits = text(answer.get(0));
            digits.chars().forEach(digit -> results.add(digit == '1'));
            return digits.length() == ids.size()
                    ? CompletableFuture.completedFuture(results)
                    : change(script, keys, first, ids.subList(digits.length(), ids.size()), results);
        });
    }

    /** A job whose retention ended at this time. */
    private record Ended(String id, long untilMillis) {}

    @Override
    public CompletionStage<List<StoredRecord>> expired(int max) {
        return types.all()
                .thenCompose(all -> ofEach(all, type -> ended(type, max)))
                .thenCompose(ended -> records(ended.values().stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparingLong(Ended::untilMillis))
                        .limit(max)
                        .map(Ended::id)
                        .toList()));
    }

    private CompletableFuture<List<Ended>> ended(String type, int max) {
        TypeKeys keys = keys(type);
        return link.run(Scripts.EXPIRED, null, keys.all(List.of()), RedisKeys.bytes(Math.min(max, MAX_EXPIRED)))
                .thenCompose(answer -> {
                    List<Ended> ended = new ArrayList<>();
                    for (int i = 1; i < answer.size(); i += 2) {
                        ended.add(new Ended(keys.shown(text(answer.get(i))), number(answer.get(i + 1))));
                    }
                    return number(answer.get(0)) > 0
                            ? CompletableFuture.completedFuture(ended)
                            : types.forget(type).thenApply(done -> ended);
                });
    }

    @Override
    public CompletionStage<List<StoredRecord>> find(RecordQuery query) {
        return reads(query.type()).find(query);
    }

    @Override
    public CompletionStage<List<String>> oldest(String type, RecordState state, int max) {
        return reads(type).oldest(state, max);
    }

    @Override
    public CompletionStage<Map<String, Map<RecordState, Long>>> counts() {
        return types.all().thenCompose(all -> ofEach(all, this::counts)).thenApply(counts -> {
            counts.values().removeIf(Map::isEmpty);
            return counts;
        });
    }

    private CompletableFuture<Map<RecordState, Long>> counts(String type) {
        return link.run(Scripts.COUNTS, null, keys(type).all(List.of())).thenApply(answer -> {
            Map<RecordState, Long> counts = new EnumMap<>(RecordState.class);
            for (int i = 0; i < answer.size(); i++) {
                long count = number(answer.get(i));
                if (count > 0) {
                    counts.put(TypeKeys.state((char) ('0' + i)), count);
                }
            }
            return counts;
        });
    }

    /** The results of a call for each type, which are in flight together. */
    private static <R> CompletableFuture<Map<String, R>> ofEach(
            List<String> types, Function<String, CompletableFuture<R>> call) {
        Map<String, CompletableFuture<R>> sent = new LinkedHashMap<>();
        types.forEach(type -> sent.put(type, call.apply(type)));
        return CompletableFuture.allOf(sent.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<String, R> results = new HashMap<>();
                    sent.forEach((type, result) -> results.put(type, result.join()));
                    return results;
                });
    }

    @Override
    public CompletionStage<List<Boolean>> changeEntries(List<EntryChange> changes) {
        return new Parts<>(changes, Entries::id, Entries::size)
                .send((kind, some) -> new Entries(link, kind).change(some));
    }

    @Override
    public CompletionStage<EntryPage> entries(String kind, List<String> names) {
        return new Entries(link, kind).read(names);
    }

    @Override
    public CompletionStage<EntryPage> listEntries(String kind, String after, int max) {
        return new Entries(link, kind).list(after, max);
    }

    @Override
    public CompletionStage<String> listenToEvents(String reader, long leaseMillis) {
        return events.listen(reader, leaseMillis);
    }

    @Override
    public CompletionStage<Boolean> appendEvents(String writer, List<String> documents) {
        return events.append(writer, List.copyOf(documents));
    }

    @Override
    public CompletionStage<List<StoredEvent>> events(String after, int max) {
        return events.read(after, max);
    }

    @Override
    public void close() {
        link.close();
    }

    @Override
    public String toString() {
        return "job records on " + link;
    }
}

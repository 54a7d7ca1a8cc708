package dev.jono.jobs.memory;

import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The records of one memory storage, with their indexes. Called by {@link SharedTable} with its lock held; not thread-safe. */
final class RecordTable {
    private static final int MAX_LINES = 1000;
    private static final int MAX_LOG_BYTES = 256 * 1024;

    /** The order of {@link RecordQuery}: the last changed record first. */
    private static final Comparator<Entry> LATEST_FIRST =
            Comparator.comparingLong((Entry e) -> -e.record.changedMillis()).thenComparing(e -> e.record.id());

    private static final Comparator<Entry> OVER_FIRST = Comparator.comparingLong(
                    (Entry e) -> e.record.keepUntilMillis() == null ? Long.MAX_VALUE : e.record.keepUntilMillis())
            .thenComparing(e -> e.record.id());

    private final Map<String, Entry> entries = new HashMap<>();

    private final Map<String, Map<RecordState, NavigableSet<Entry>>> lists = new HashMap<>();

    private final NavigableSet<Entry> limited = new TreeSet<>(OVER_FIRST);

    /** A record with its tags and log. The record is immutable, so its position in the indexes is stable. */
    private record Entry(StoredRecord record, Set<String> tags, Deque<LogLine> log) {
        boolean isLimited() {
            return record.keepUntilMillis() != null;
        }
    }

    WriteOutcome write(RecordChange change, long now) {
        Entry before = entries.get(change.id());
        WriteOutcome refusal = refusal(before, change);
        if (refusal != null) {
            return refusal;
        }
        if (before != null) {
            unlist(before);
        }
        Deque<LogLine> log = before == null ? new ArrayDeque<>() : before.log;
        log.addAll(change.logLines());
        trim(log);
        Long keep = change.keepMillis();
        StoredRecord record = new StoredRecord(
                change.id(),
                change.type(),
                change.state(),
                change.attempt(),
                change.document(),
                now,
                keep == null ? null : now + keep);
        list(new Entry(record, change.tags(), log));
        return WriteOutcome.STORED;
    }

    private static @Nullable WriteOutcome refusal(@Nullable Entry before, RecordChange change) {
        if (change.reopens()) {
            return before != null && before.record.state() == RecordState.FAILED ? null : WriteOutcome.ENDED;
        }
        if (before == null) {
            return null;
        }
        if (before.record.state().isEnded()) {
            return WriteOutcome.ENDED;
        }
        boolean stale = change.state() == RecordState.OPEN && change.attempt() < before.record.attempt();
        return stale ? WriteOutcome.STALE : null;
    }

    private static void trim(Deque<LogLine> log) {
        int bytes = 0;
        for (LogLine line : log) {
            bytes += size(line);
        }
        while (log.size() > MAX_LINES || bytes > MAX_LOG_BYTES) {
            bytes -= size(log.remove());
        }
    }

    private static int size(LogLine line) {
        return line.text().getBytes(StandardCharsets.UTF_8).length;
    }

    private void list(Entry entry) {
        entries.put(entry.record.id(), entry);
        lists.computeIfAbsent(entry.record.type(), type -> new EnumMap<>(RecordState.class))
                .computeIfAbsent(entry.record.state(), state -> new TreeSet<>(LATEST_FIRST))
                .add(entry);
        if (entry.isLimited()) {
            limited.add(entry);
        }
    }

    private void unlist(Entry entry) {
        entries.remove(entry.record.id());
        limited.remove(entry);
        lists.computeIfPresent(entry.record.type(), (type, states) -> {
            states.computeIfPresent(entry.record.state(), (state, listed) -> {
                listed.remove(entry);
                return listed.isEmpty() ? null : listed;
            });
            return states.isEmpty() ? null : states;
        });
    }

    Map<String, StoredRecord> read(List<String> ids) {
        Map<String, StoredRecord> found = new LinkedHashMap<>();
        for (String id : ids) {
            Entry entry = entries.get(id);
            if (entry != null) {
                found.put(id, entry.record);
            }
        }
        return found;
    }

    List<LogLine> log(String id, int max) {
        Entry entry = entries.get(id);
        List<LogLine> all = entry == null ? List.of() : new ArrayList<>(entry.log);
        return List.copyOf(all.subList(Math.max(0, all.size() - max), all.size()));
    }

    boolean remove(String id) {
        Entry entry = entries.get(id);
        if (entry != null) {
            unlist(entry);
        }
        return entry != null;
    }

    boolean removeExpired(String id, long now) {
        return isOver(entries.get(id), now) && remove(id);
    }

    void postpone(String id, long now, long until) {
        Entry entry = entries.get(id);
        if (entry != null && isOver(entry, now)) {
            unlist(entry);
            StoredRecord r = entry.record;
            StoredRecord later =
                    new StoredRecord(r.id(), r.type(), r.state(), r.attempt(), r.document(), r.changedMillis(), until);
            list(new Entry(later, entry.tags, entry.log));
        }
    }

    private static boolean isOver(@Nullable Entry entry, long now) {
        Long until = entry == null ? null : entry.record.keepUntilMillis();
        return until != null && until <= now;
    }

    List<StoredRecord> expired(long now, int max) {
        return limited.stream()
                .map(Entry::record)
                .takeWhile(record -> record.keepUntilMillis() != null && record.keepUntilMillis() <= now)
                .limit(max)
                .toList();
    }

    List<StoredRecord> find(RecordQuery query) {
        NavigableSet<Entry> listed = lists.getOrDefault(query.type(), Map.of()).get(query.state());
        if (listed == null) {
            return List.of();
        }
        RecordQuery.Position after = query.after();
        return (after == null ? listed : listed.tailSet(place(query, after), false))
                .stream()
                        .filter(entry -> query.tag() == null || entry.tags.contains(query.tag()))
                        .limit(query.limit())
                        .map(Entry::record)
                        .toList();
    }

    List<String> oldest(String type, RecordState state, int max) {
        NavigableSet<Entry> listed = lists.getOrDefault(type, Map.of()).get(state);
        return listed == null
                ? List.of()
                : listed.descendingSet().stream()
                        .limit(max)
                        .map(entry -> entry.record.id())
                        .toList();
    }

    /** An entry that is equal to the one at this position, by the order of the lists. */
    private static Entry place(RecordQuery query, RecordQuery.Position position) {
        StoredRecord record =
                new StoredRecord(position.id(), query.type(), query.state(), 0, "", position.changedMillis(), null);
        return new Entry(record, Set.of(), new ArrayDeque<>());
    }

    Map<String, Map<RecordState, Long>> counts() {
        return lists.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        type -> type.getValue().entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, state ->
                                (long) state.getValue().size()))));
    }
}

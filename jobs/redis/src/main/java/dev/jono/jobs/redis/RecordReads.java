package dev.jono.jobs.redis;

import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of one type, with commands instead of scripts: Redis copies and hashes each byte that a script returns. One value
 * holds a whole record, so each record is consistent.
 */
final class RecordReads {
    private static final int TIME_DIGITS = 15;

    private final RedisLink link;
    private final TypeKeys keys;

    RecordReads(RedisLink link, TypeKeys keys) {
        this.link = link;
        this.keys = keys;
    }

    /** The records of these jobs, in their order; empty for a job without a record. */
    CompletableFuture<List<Optional<StoredRecord>>> read(List<String> ids) {
        byte[][] fields = ids.stream().map(TypeKeys::stored).toArray(byte[][]::new);
        return link.call("read job records", null, false, commands -> commands.hmget(keys.records, fields))
                .thenApply(values -> {
                    List<Optional<StoredRecord>> records = new ArrayList<>(values.size());
                    for (int i = 0; i < values.size(); i++) {
                        KeyValue<byte[], byte[]> value = values.get(i);
                        records.add(
                                value.hasValue()
                                        ? Optional.of(record(ids.get(i), value.getValue()))
                                        : Optional.empty());
                    }
                    return records;
                });
    }

    /** A record from its text: common.lua describes it. */
    private static StoredRecord record(String id, byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        String[] fields = text.substring(0, end).split(" ", 6);
        return new StoredRecord(
                id,
                TypeKeys.typeOf(id),
                TypeKeys.state(fields[0].charAt(0)),
                Integer.parseInt(fields[1]),
                text.substring(end + 1),
                Long.parseLong(fields[2]),
                fields[3].equals("-") ? null : (Long) Long.parseLong(fields[3]));
    }

    /** One page. Between list and records other clients can change records: they are left out, and others follow. */
    CompletableFuture<List<StoredRecord>> find(RecordQuery query) {
        RecordQuery.Position after = query.after();
        return find(query, after == null ? null : place(after), new ArrayList<>());
    }

    private static String place(RecordQuery.Position position) {
        String id = position.id();
        return String.format(Locale.ROOT, "%015d", position.changedMillis()) + id.substring(id.indexOf(':') + 1);
    }

    private CompletableFuture<List<StoredRecord>> find(
            RecordQuery query, @Nullable String after, List<StoredRecord> page) {
        int missing = Math.min(query.limit() - page.size(), Parts.MAX_ITEMS);
        String tag = query.tag();
        byte[] list = tag == null ? keys.list(query.state()) : keys.tags;
        String start = tag == null ? "" : TypeKeys.digit(query.state()) + tag + ',';
        return link.call(
                        "list job records",
                        null,
                        false,
                        commands -> commands.zrevrangebylex(list, range(start, after), Limit.from(missing)))
                .thenCompose(entries -> {
                    List<String> places = entries.stream()
                            .map(entry -> new String(entry, StandardCharsets.UTF_8).substring(start.length()))
                            .toList();
                    return places.isEmpty()
                            ? CompletableFuture.completedFuture(page)
                            : append(query, places, missing, page);
                });
    }

    private CompletableFuture<List<StoredRecord>> append(
            RecordQuery query, List<String> places, int missing, List<StoredRecord> page) {
        List<String> ids = places.stream()
                .map(place -> keys.shown(place.substring(TIME_DIGITS)))
                .toList();
        return read(ids).thenCompose(records -> {
            for (int i = 0; i < ids.size(); i++) {
                String place = places.get(i);
                records.get(i)
                        .filter(record -> isAt(record, query.state(), place))
                        .ifPresent(page::add);
            }
            return places.size() < missing || page.size() == query.limit()
                    ? CompletableFuture.completedFuture(page)
                    : find(query, places.get(places.size() - 1), page);
        });
    }

    /** The jobs at the other end of a list. */
    CompletableFuture<List<String>> oldest(RecordState state, int max) {
        return link.call(
                        "list the oldest job records",
                        null,
                        false,
                        commands -> commands.zrangebylex(keys.list(state), Range.unbounded(), Limit.from(max)))
                .thenApply(entries -> entries.stream()
                        .map(entry -> keys.shown(new String(entry, StandardCharsets.UTF_8).substring(TIME_DIGITS)))
                        .toList());
    }

    private static boolean isAt(StoredRecord record, RecordState state, String place) {
        return record.state() == state
                && place.equals(place(new RecordQuery.Position(record.changedMillis(), record.id())));
    }

    /** The entries with this start, or those of them after a place. A comma, the end of a start, is followed by a minus. */
    private static Range<byte[]> range(String start, @Nullable String after) {
        Range.Boundary<byte[]> least =
                start.isEmpty() ? Range.Boundary.unbounded() : Range.Boundary.including(RedisKeys.bytes(start));
        if (after != null) {
            return Range.from(least, Range.Boundary.excluding(RedisKeys.bytes(start + after)));
        }
        return Range.from(
                least,
                start.isEmpty()
                        ? Range.Boundary.unbounded()
                        : Range.Boundary.excluding(RedisKeys.bytes(start.substring(0, start.length() - 1) + '-')));
    }

    /** The last lines of a log, oldest first. */
    CompletableFuture<List<LogLine>> log(String id, int max) {
        return link.call("read the log of a job", null, false, commands -> commands.lrange(keys.log(id), -max, -1))
                .thenApply(lines -> lines.stream().map(RecordReads::line).toList());
    }

    private static LogLine line(byte[] value) {
        String[] fields = new String(value, StandardCharsets.UTF_8).split(" ", 3);
        return new LogLine(Long.parseLong(fields[0]), Integer.parseInt(fields[1]), fields[2]);
    }
}

package dev.jono.jobs.redis;

import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Replies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes records of one type, with one script. */
final class RecordWrites {
    private static final int MAX_LINES = 1000;
    private static final int MAX_LOG_BYTES = 256 * 1024;

    /** Scripts write times with 15 digits. This is nearly 30,000 years. */
    static final long MAX_KEEP_MILLIS = 900_000_000_000_000L;

    private static final byte[] NONE = new byte[0];
    private static final byte[] ONE = RedisKeys.bytes(1);
    private static final byte[] ZERO = RedisKeys.bytes(0);

    private final TypeKeys keys;
    private final List<byte[]> logs = new ArrayList<>();
    private final List<byte[]> args = new ArrayList<>();

    private RecordWrites(TypeKeys keys) {
        this.keys = keys;
    }

    /** Sends changes of jobs of one type. */
    static CompletableFuture<List<WriteOutcome>> send(RedisLink link, TypeKeys keys, List<RecordChange> changes) {
        RecordWrites call = new RecordWrites(keys);
        call.args.add(RedisKeys.bytes(changes.size()));
        changes.forEach(change -> call.args.add(TypeKeys.stored(change.id())));
        changes.forEach(call::add);
        return link.run(Scripts.WRITE, null, keys.all(call.logs), call.args.toArray(byte[][]::new))
                .thenApply(answer -> Replies.text(answer.get(0))
                        .chars()
                        .mapToObj(RecordWrites::outcome)
                        .toList());
    }

    private static WriteOutcome outcome(int letter) {
        return switch (letter) {
            case 'S' -> WriteOutcome.STORED;
            case 'E' -> WriteOutcome.ENDED;
            default -> WriteOutcome.STALE;
        };
    }

    /** About the bytes that a change sends. A line is as much work for a script as some hundred bytes more. */
    static long size(RecordChange change) {
        long size = change.document().length();
        for (LogLine line : change.logLines()) {
            size += line.text().length() + 400;
        }
        return size;
    }

    private void add(RecordChange change) {
        args.add(RedisKeys.bytes(TypeKeys.digit(change.state())));
        args.add(RedisKeys.bytes(change.attempt()));
        args.add(change.reopens() ? ONE : ZERO);
        Long keep = change.keepMillis();
        args.add(keep == null ? NONE : RedisKeys.bytes(Math.min(keep, MAX_KEEP_MILLIS)));
        args.add(RedisKeys.bytes(String.join(",", change.tags())));
        args.add(RedisKeys.bytes(change.document()));
        List<LogLine> lines = change.logLines();
        List<byte[]> last = last(lines);
        args.add(last.size() < lines.size() ? ONE : ZERO);
        args.add(RedisKeys.bytes(last.size()));
        args.addAll(last);
        if (!lines.isEmpty()) {
            logs.add(keys.log(change.id()));
        }
    }

    /** As many lines at the end as a log holds, oldest first. */
    private static List<byte[]> last(List<LogLine> lines) {
        int from = lines.size();
        int bytes = 0;
        while (from > 0 && lines.size() - from < MAX_LINES) {
            bytes += lines.get(from - 1).text().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_LOG_BYTES) {
                break;
            }
            from--;
        }
        return lines.subList(from, lines.size()).stream()
                .map(line -> RedisKeys.bytes(line.timeMillis() + " " + line.attempt() + " " + line.text()))
                .toList();
    }
}

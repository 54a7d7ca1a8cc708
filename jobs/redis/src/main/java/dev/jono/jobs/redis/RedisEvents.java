package dev.jono.jobs.redis;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.jobs.spi.StoredEvent;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The log of events, a stream, and its readers, a sorted set in the same slot. Thread-safe. */
final class RedisEvents {
    private static final byte[] MAX_EVENTS = RedisKeys.bytes(10_000);

    private final RedisLink link;
    private final byte[] log;
    private final byte[][] keys;

    RedisEvents(RedisLink link) {
        this.link = link;
        this.log = link.keys().key("jono:jobs:events:{jobs}");
        this.keys = new byte[][] {log, link.keys().key("jono:jobs:readers:{jobs}")};
    }

    CompletableFuture<String> listen(String reader, long leaseMillis) {
        return link.run(Scripts.LISTEN, null, keys, RedisKeys.bytes(reader), RedisKeys.bytes(leaseMillis))
                .thenApply(answer -> text(answer.get(0)));
    }

    /** Appends in parts that are small enough for one script each. */
    CompletableFuture<Boolean> append(String writer, List<String> events) {
        List<byte[]> args = new ArrayList<>(List.of(RedisKeys.bytes(writer), MAX_EVENTS));
        int sent = 0;
        long bytes = 0;
        while (sent < events.size() && sent < Parts.MAX_ITEMS && bytes < Parts.MAX_BYTES) {
            byte[] event = RedisKeys.bytes(events.get(sent));
            args.add(event);
            bytes += event.length;
            sent++;
        }
        List<String> rest = events.subList(sent, events.size());
        return link.run(Scripts.APPEND, null, keys, args.toArray(byte[][]::new)).thenCompose(answer -> {
            boolean heard = number(answer.get(0)) == 1;
            return heard && !rest.isEmpty() ? append(writer, rest) : CompletableFuture.completedFuture(heard);
        });
    }

    CompletableFuture<List<StoredEvent>> read(String after, int max) {
        Range<String> range = Range.from(
                after.isEmpty() ? Range.Boundary.unbounded() : Range.Boundary.excluding(after),
                Range.Boundary.unbounded());
        return link.call("read events of jobs", null, false, commands -> commands.xrange(log, range, Limit.from(max)))
                .thenApply(entries -> entries.stream().map(RedisEvents::event).toList());
    }

    private static StoredEvent event(StreamMessage<byte[], byte[]> entry) {
        byte[] document = entry.getBody().values().iterator().next();
        return new StoredEvent(entry.getId(), new String(document, StandardCharsets.UTF_8));
    }
}

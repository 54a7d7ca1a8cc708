package dev.jono.jobs.memory;

import dev.jono.jobs.spi.StoredEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The last events of one memory storage, and their readers. Called by {@link SharedTable} with its lock held; not thread-safe. */
final class EventLog {
    private static final int MAX_EVENTS = 10_000;

    /** By the number of the event, which is its position. */
    private final TreeMap<Long, StoredEvent> events = new TreeMap<>();

    /** The ends of the announcements. */
    private final Map<String, Long> readers = new HashMap<>();

    private long last;

    String listen(String reader, long leaseMillis, long now) {
        readers.values().removeIf(until -> until <= now);
        if (leaseMillis == 0) {
            readers.remove(reader);
        } else {
            readers.put(reader, now + leaseMillis);
        }
        return Long.toString(last);
    }

    boolean append(String writer, List<String> documents, long now) {
        boolean heard = readers.entrySet().stream()
                .anyMatch(each -> each.getValue() > now && !each.getKey().equals(writer));
        if (heard) {
            documents.forEach(this::append);
        }
        return heard;
    }

    private void append(String document) {
        last++;
        events.put(last, new StoredEvent(Long.toString(last), document));
        if (events.size() > MAX_EVENTS) {
            events.pollFirstEntry();
        }
    }

    List<StoredEvent> read(String after, int max) {
        long from = after.isEmpty() ? 0 : Long.parseLong(after);
        return events.tailMap(from, false).values().stream().limit(max).toList();
    }
}

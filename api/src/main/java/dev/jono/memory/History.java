package dev.jono.memory;

import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The consumed messages of one queue that are still kept. Not thread-safe: the lock of its queue guards it. */
final class History {
    private static final Comparator<ConsumedMessage> BY_END =
            Comparator.comparingLong(ConsumedMessage::endMillis).thenComparingLong(ConsumedMessage::number);

    private final TreeMap<Long, ConsumedMessage> byNumber = new TreeMap<>();
    private final TreeSet<ConsumedMessage> byEnd = new TreeSet<>(BY_END);
    private final HashMap<String, ConsumedMessage> byId = new HashMap<>();
    private long count;

    /** Keeps a message until then; one of the same id that was consumed earlier gives way. */
    void add(Entry entry, long endMillis) {
        forget(entry.id);
        ConsumedMessage past = new ConsumedMessage(entry, ++count, endMillis);
        byNumber.put(past.number, past);
        byEnd.add(past);
        byId.put(entry.id, past);
    }

    /** Forgets what has been kept long enough. */
    void advance(long nowMillis) {
        while (!byEnd.isEmpty() && byEnd.first().endMillis <= nowMillis) {
            forget(byEnd.first().entry.id);
        }
    }

    void forget(String id) {
        ConsumedMessage past = byId.remove(id);
        if (past != null) {
            byNumber.remove(past.number);
            byEnd.remove(past);
        }
    }

    int size() {
        return byId.size();
    }

    /** The latest first, behind a cursor. */
    List<StoredMessage> page(@Nullable String after, int limit) {
        NavigableMap<Long, ConsumedMessage> rest = after == null ? byNumber : byNumber.headMap(Cursor.number(after), false);
        return rest.descendingMap().values().stream()
                .limit(limit)
                .map(ConsumedMessage::toStored)
                .toList();
    }

    List<StoredMessage> find(Collection<String> ids) {
        return ids.stream()
                .distinct()
                .map(byId::get)
                .filter(past -> past != null)
                .map(ConsumedMessage::toStored)
                .toList();
    }

    private record ConsumedMessage(Entry entry, long number, long endMillis) {
        StoredMessage toStored() {
            return entry.toBuilder(State.PROCESSED).cursor(Long.toString(number)).build();
        }
    }
}

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

/** The history of one queue. Not thread-safe: guarded by the lock of its {@link MessageTable}. */
final class History {
    private static final Comparator<ConsumedMessage> BY_END =
            Comparator.comparingLong(ConsumedMessage::endMillis).thenComparingLong(ConsumedMessage::number);

    private final TreeMap<Long, ConsumedMessage> byNumber = new TreeMap<>();
    private final TreeSet<ConsumedMessage> byEnd = new TreeSet<>(BY_END);
    private final HashMap<String, ConsumedMessage> byId = new HashMap<>();
    private long count;

    /** Keeps a consumed message until a time. Replaces an earlier message of the same id. */
    void add(Entry entry, long endMillis) {
        forget(entry.id);
        ConsumedMessage past = new ConsumedMessage(entry, ++count, endMillis);
        byNumber.put(past.number, past);
        byEnd.add(past);
        byId.put(entry.id, past);
    }

    /** Forgets the messages whose time is over. */
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

    /** A page after a cursor, the latest message first. */
    List<StoredMessage> page(@Nullable String after, int limit) {
        NavigableMap<Long, ConsumedMessage> rest =
                after == null ? byNumber : byNumber.headMap(Cursor.number(after), false);
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
            return entry.toBuilder(State.PROCESSED)
                    .cursor(Long.toString(number))
                    .build();
        }
    }
}

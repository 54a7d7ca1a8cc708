package dev.jono.memory;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the messages of a {@link MessageTable}. Not thread-safe: guarded by the lock of the table. */
final class TableView {
    private static final Comparator<Entry> BY_DUE =
            Comparator.<Entry>comparingLong(e -> e.dueMillis).thenComparingLong(e -> e.seq);

    private final Map<String, Entry> live;
    private final PositionOrder ready;
    private final PositionOrder scheduled;
    private final PositionOrder leased;
    private final History history;

    TableView(
            Map<String, Entry> live,
            PositionOrder ready,
            PositionOrder scheduled,
            PositionOrder leased,
            History history) {
        this.live = live;
        this.ready = ready;
        this.scheduled = scheduled;
        this.leased = leased;
        this.history = history;
    }

    /** How many messages are in no order: they wait for an earlier one of their key. */
    private long blocked() {
        return (long) live.size() - ready.size() - scheduled.size() - leased.size();
    }

    List<StoredMessage> find(Collection<String> wanted) {
        List<StoredMessage> found = new ArrayList<>();
        for (String id : wanted) {
            Entry e = live.get(id);
            if (e != null) {
                found.add(view(e));
            }
        }
        return found;
    }

    /** A page in the order of due times, including reserved messages. */
    List<StoredMessage> page(@Nullable String after, int limit) {
        Cursor cursor = Cursor.parse(after);
        Entry hint = live.get(cursor.id());
        List<Entry> candidates = new ArrayList<>();
        ready.collectAfter(cursor.position(), hint, limit, candidates);
        scheduled.collectAfter(cursor.position(), hint, limit, candidates);
        // These are in another order, or in none.
        Consumer<Entry> collect = e -> {
            if (new Position(e.dueMillis, e.seq).compareTo(cursor.position()) > 0) {
                candidates.add(e);
            }
        };
        leased.forEach(collect);
        if (blocked() > 0) {
            live.values().stream().filter(e -> e.order == null).forEach(collect);
        }
        return candidates.stream().sorted(BY_DUE).limit(limit).map(this::view).toList();
    }

    CountsResult counts(boolean withHistory, long nowMillis) {
        Entry oldest = ready.first();
        CountsResult.Builder counts = CountsResult.builder()
                .ready(ready.size())
                .scheduled(scheduled.size())
                .reserved(leased.size())
                .blocked(blocked())
                .history(withHistory ? history.size() : 0)
                .nextMillis(oldest != null ? 0 : millisUntil(scheduled.first(), nowMillis))
                .storageMillis(nowMillis);
        return (oldest == null ? counts : counts.oldestReadyMillis(oldest.dueMillis)).build();
    }

    /** Milliseconds until a message can be claimed, also by the end of a lease. */
    long nextMillis(long nowMillis) {
        return ready.size() > 0
                ? 0
                : Math.min(millisUntil(scheduled.first(), nowMillis), millisUntil(leased.first(), nowMillis));
    }

    private static long millisUntil(@Nullable Entry first, long nowMillis) {
        return first == null ? ClaimResult.NONE : first.rank - nowMillis;
    }

    private StoredMessage view(Entry e) {
        boolean held = e.order == leased;
        // The current delivery is not an earlier one.
        return e.toBuilder(state(e))
                .tries(held ? e.tries - 1 : e.tries)
                .leaseEndMillis(held ? e.rank : 0)
                .cursor(Cursor.of(e))
                .build();
    }

    private State state(Entry e) {
        if (e.order == leased) {
            return State.RESERVED;
        }
        if (e.order == ready) {
            return State.READY;
        }
        return e.order == scheduled ? State.SCHEDULED : State.BLOCKED;
    }
}

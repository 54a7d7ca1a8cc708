package dev.jono.memory;

import dev.jono.RemoveOutcome;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsResult;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.Due;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveItem;
import dev.jono.spi.NewMessage;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue and their states. The caller holds {@link #lock}, and calls {@link #advance} before any
 * other method.
 */
final class MessageTable {
    private static final Comparator<Entry> BY_DUE =
            Comparator.<Entry>comparingLong(e -> e.dueMillis).thenComparingLong(e -> e.seq);

    final ReentrantLock lock = new ReentrantLock();

    /** The order in which a call locks several tables. */
    final int number;

    final String name;
    final History history = new History();

    private final Ids ids;
    private final TakenPositions takenPositions;
    private final HashMap<String, Entry> live = new HashMap<>();
    private final PositionOrder ready = new PositionOrder();
    private final PositionOrder scheduled = new PositionOrder();
    private final PositionOrder leased = new PositionOrder();

    private volatile boolean used;

    /** Whether the queue was deleted. Later calls use a new table. */
    private boolean deleted;

    MessageTable(int number, String name, Ids ids) {
        this.number = number;
        this.name = name;
        this.ids = ids;
        this.takenPositions = new TakenPositions(ids);
    }

    /** Whether the table ever held a message. Needs no lock. */
    boolean used() {
        return used;
    }

    /** Updates all states to a time: due messages become ready, leases end, history expires. */
    void advance(long nowMillis) {
        for (Entry e = scheduled.first(); e != null && e.rank <= nowMillis; e = scheduled.first()) {
            scheduled.remove(e);
            ready.add(e, e.dueMillis);
        }
        for (Entry e = leased.first(); e != null && e.rank <= nowMillis; e = leased.first()) {
            leased.remove(e);
            e.expired = true;
            ready.add(e, e.dueMillis);
        }
        history.advance(nowMillis);
    }

    InsertResult.Item insert(NewMessage message, long nowMillis) {
        String given = message.id();
        if (given != null && live.containsKey(given)) {
            return InsertResult.Item.duplicate(given);
        }
        long seq = ids.nextSeq();
        String id = given == null ? ids.id(seq) : given;
        Entry entry = new Entry(seq, id, message.payload(), message.headers(), nowMillis);
        entry.tries = message.tries();
        add(entry, message.due().resolve(nowMillis), nowMillis);
        return InsertResult.Item.stored(id);
    }

    List<StoredMessage> take(int max, long historyMillis, long nowMillis) {
        List<StoredMessage> taken = new ArrayList<>(Math.min(max, ready.size()));
        for (Entry e = ready.first(); e != null && taken.size() < max; e = ready.first()) {
            removeEntry(e);
            takenPositions.remember(e);
            taken.add(e.toHandedOut(State.READY, null, false));
            addToHistory(e, historyMillis, nowMillis);
        }
        return taken;
    }

    InsertResult.Item restore(StoredMessage message, long nowMillis) {
        String id = message.id();
        if (live.containsKey(id)) {
            return InsertResult.Item.duplicate(id);
        }
        history.forget(id);
        Entry entry =
                new Entry(takenPositions.of(id), id, message.payload(), message.headers(), message.pushedMillis());
        entry.tries = message.tries();
        entry.expired = message.expired();
        add(entry, message.dueMillis(), nowMillis);
        return InsertResult.Item.stored(id);
    }

    List<StoredMessage> claim(ClaimRequest request, long nowMillis) {
        List<StoredMessage> claimed = new ArrayList<>(Math.min(request.max(), ready.size()));
        String token = ids.claimToken();
        boolean isolated = false;
        for (Entry e = ready.first(); e != null && !isolated && claimed.size() < request.max(); e = ready.first()) {
            isolated = e.tries >= request.isolateTries() || (e.expired && e.tries >= request.isolateExpiredTries());
            if (isolated && !claimed.isEmpty()) {
                break;
            }
            ready.remove(e);
            leased.add(e, nowMillis + request.leaseMillis());
            e.holder = token;
            claimed.add(e.toHandedOut(State.RESERVED, Receipt.of(e.id, token), isolated));
            e.tries++;
        }
        return claimed;
    }

    Outcome ack(Receipt receipt, long historyMillis, long nowMillis) {
        return settle(receipt, e -> {
            removeEntry(e);
            addToHistory(e, historyMillis, nowMillis);
        });
    }

    Outcome release(ReleaseRequest.Item item, long nowMillis) {
        return settle(item.receipt(), e -> {
            detach(e);
            e.holder = null;
            e.expired = false;
            if (!item.counted()) {
                e.tries--;
            }
            Due due = item.due();
            schedule(e, due == null ? e.dueMillis : due.resolve(nowMillis), nowMillis);
        });
    }

    Outcome extend(Receipt receipt, long leaseEndMillis) {
        return settle(receipt, e -> {
            detach(e);
            leased.add(e, leaseEndMillis);
        });
    }

    /** Moves a message into another table, which the caller has locked too, or within this one. */
    Outcome move(MoveItem item, MessageTable target, long nowMillis) {
        return settle(item.receipt(), e -> {
            removeEntry(e);
            if (!target.live.containsKey(e.id)) {
                target.add(e.moved(item, ids.nextSeq(), nowMillis), item.due().resolve(nowMillis), nowMillis);
            }
        });
    }

    RemoveOutcome remove(String id) {
        Entry e = live.get(id);
        if (e == null) {
            return RemoveOutcome.ABSENT;
        }
        if (e.order == leased) {
            return RemoveOutcome.HELD;
        }
        removeEntry(e);
        return RemoveOutcome.REMOVED;
    }

    long purge() {
        live.values().removeIf(e -> e.order != leased);
        long purged = (long) ready.size() + scheduled.size();
        ready.clear();
        scheduled.clear();
        return purged;
    }

    DeleteResult delete(boolean withMessages) {
        int messages = live.size();
        if (messages > 0 && !withMessages) {
            return DeleteResult.refused(messages);
        }
        deleted = true;
        return DeleteResult.deleted(messages);
    }

    boolean deleted() {
        return deleted;
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
        leased.forEach(e -> {
            if (new Position(e.dueMillis, e.seq).compareTo(cursor.position()) > 0) {
                candidates.add(e);
            }
        });
        return candidates.stream().sorted(BY_DUE).limit(limit).map(this::view).toList();
    }

    CountsResult counts(boolean withHistory, long nowMillis) {
        Entry oldest = ready.first();
        CountsResult.Builder counts = CountsResult.builder()
                .ready(ready.size())
                .scheduled(scheduled.size())
                .reserved(leased.size())
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

    /** The fence: runs a step only if the receipt still holds the message. */
    private Outcome settle(Receipt receipt, Consumer<Entry> step) {
        Entry e = live.get(receipt.id());
        if (e == null) {
            return Outcome.GONE;
        }
        if (!receipt.token().equals(e.holder)) {
            return Outcome.STALE;
        }
        step.accept(e);
        return Outcome.DONE;
    }

    private StoredMessage view(Entry e) {
        boolean held = e.order == leased;
        // The current delivery is not an earlier one.
        return e.toBuilder(held ? State.RESERVED : e.order == ready ? State.READY : State.SCHEDULED)
                .tries(held ? e.tries - 1 : e.tries)
                .leaseEndMillis(held ? e.rank : 0)
                .cursor(Cursor.of(e))
                .build();
    }

    private void add(Entry e, long dueMillis, long nowMillis) {
        used = true;
        live.put(e.id, e);
        schedule(e, dueMillis, nowMillis);
    }

    private void schedule(Entry e, long dueMillis, long nowMillis) {
        e.dueMillis = dueMillis;
        (dueMillis <= nowMillis ? ready : scheduled).add(e, dueMillis);
    }

    private void removeEntry(Entry e) {
        live.remove(e.id);
        detach(e);
    }

    private static void detach(Entry e) {
        PositionOrder order = e.order;
        if (order != null) {
            order.remove(e);
        }
    }

    private void addToHistory(Entry e, long historyMillis, long nowMillis) {
        if (historyMillis > 0) {
            history.add(e, nowMillis + historyMillis);
        }
    }
}

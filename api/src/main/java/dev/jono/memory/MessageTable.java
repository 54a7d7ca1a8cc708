package dev.jono.memory;

import dev.jono.EditOutcome;
import dev.jono.RemoveOutcome;
import dev.jono.UniqueKey;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.Due;
import dev.jono.spi.InsertResult;
import dev.jono.spi.KeySettings;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one queue and their states. The caller holds {@link #lock}, and calls {@link #advance} before any
 * other method.
 */
final class MessageTable {
    final ReentrantLock lock = new ReentrantLock();

    /** The order in which a call locks several tables. */
    final int number;

    final String name;
    final History history = new History();

    private final Ids ids;

    /** The unique keys with a scope, of all queues. */
    private final UniqueKeys sharedKeys;

    private final TakenPositions takenPositions;
    private final HashMap<String, Entry> live = new HashMap<>();
    private final PositionOrder ready = new PositionOrder();
    private final PositionOrder scheduled = new PositionOrder();
    private final PositionOrder leased = new PositionOrder();

    /** Reads the messages. */
    final TableView view = new TableView(live, ready, scheduled, leased, history);

    private KeyGroups keys = new KeyGroups(0, leased);

    /** The earliest due time of the messages that were blocked and were let in since {@link #advance}. */
    private long promotedMillis = Long.MAX_VALUE;

    private final UniqueKeys uniqueKeys = new UniqueKeys();

    private volatile boolean used;

    /** Whether the queue was deleted. Later calls use a new table. */
    private boolean deleted;

    MessageTable(int number, String name, Ids ids, UniqueKeys sharedKeys) {
        this.number = number;
        this.name = name;
        this.ids = ids;
        this.sharedKeys = sharedKeys;
        this.takenPositions = new TakenPositions(ids);
    }

    /** Whether the table ever held a message. Needs no lock. */
    boolean used() {
        return used;
    }

    /**
     * Makes sure that the queue is used with one setting of keys.
     *
     * @param maxPerKey see {@link QueueSpec#maxPerKey}
     * @throws StorageException if the queue was used with another setting
     */
    void requireKeys(int maxPerKey) {
        makeKeyed(maxPerKey);
        if (maxPerKey > 0) {
            requireSameKeys(maxPerKey);
        }
    }

    /** Makes a queue without messages keyed. */
    void makeKeyed(int maxPerKey) {
        if (maxPerKey > 0 && keys.maxPerKey() == 0 && live.isEmpty()) {
            keys = new KeyGroups(maxPerKey, leased);
        }
    }

    /** As {@link #requireKeys}, for a call that hands out messages: it must know of the keys. */
    void requireSameKeys(int maxPerKey) {
        if (maxPerKey != keys.maxPerKey()) {
            throw KeySettings.differ(name, maxPerKey, keys.maxPerKey());
        }
    }

    /** The unique keys of the queue, or those with a scope, which all queues share. */
    UniqueKeys uniqueKeys(@Nullable String scope) {
        return scope == null ? uniqueKeys : sharedKeys;
    }

    /** Updates all states to a time: due messages become ready, leases end, history expires. */
    void advance(long nowMillis) {
        promotedMillis = Long.MAX_VALUE;
        for (Entry e = scheduled.first(); e != null && e.rank <= nowMillis; e = scheduled.first()) {
            scheduled.remove(e);
            schedule(e, e.dueMillis, nowMillis);
        }
        for (Entry e = leased.first(); e != null && e.rank <= nowMillis; e = leased.first()) {
            leased.remove(e);
            e.expired = true;
            if (!keys.isBehindAnother(e)) {
                ready.add(e, e.dueMillis);
            }
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
        UniqueKey unique = message.unique();
        String first = unique == null ? null : uniqueKeys(unique.scope()).remember(unique, id, nowMillis);
        if (first != null) {
            return InsertResult.Item.duplicate(first);
        }
        Entry entry = new Entry(seq, id, message.payload(), message.headers(), nowMillis);
        entry.tries = message.tries();
        entry.delivered = given != null;
        add(entry, message.due().resolve(nowMillis), nowMillis);
        return InsertResult.Item.stored(id);
    }

    List<StoredMessage> take(int max, long historyMillis, long nowMillis) {
        List<StoredMessage> taken = new ArrayList<>(Math.min(max, ready.size()));
        for (Entry e = ready.first(); e != null && taken.size() < max; e = ready.first()) {
            removeEntry(e, nowMillis);
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
        entry.delivered = true;
        add(entry, message.dueMillis(), nowMillis);
        return InsertResult.Item.stored(id);
    }

    List<StoredMessage> claim(ClaimRequest request, long nowMillis) {
        List<StoredMessage> claimed = new ArrayList<>(Math.min(request.max(), ready.size()));
        String token = ids.claimToken();
        boolean isolated = false;
        for (Entry e = ready.first(); e != null && !isolated && claimed.size() < request.max(); e = ready.first()) {
            isolated = isolates(e, request);
            if (isolated && !claimed.isEmpty()) {
                break;
            }
            keys.admittedBehind(e).forEach(this::takeBack);
            claimed.add(lease(e, request, token, isolated, nowMillis));
            int limit = isolated ? 0 : Math.min(request.maxPerKey() - 1, request.max() - claimed.size());
            claimFollowing(e, limit, request, token, claimed, nowMillis);
        }
        return claimed;
    }

    /** Claims messages that follow a claimed one of the same key, as long as they are due and need not come alone. */
    private void claimFollowing(
            Entry first, int limit, ClaimRequest request, String token, List<StoredMessage> claimed, long nowMillis) {
        for (int i = 0; i < limit; i++) {
            Entry e = keys.following(first);
            if (e == null || e.dueMillis > nowMillis || isolates(e, request)) {
                return;
            }
            keys.admitBeside(e);
            claimed.add(lease(e, request, token, false, nowMillis));
        }
    }

    private static boolean isolates(Entry e, ClaimRequest request) {
        return e.tries >= request.isolateTries() || (e.expired && e.tries >= request.isolateExpiredTries());
    }

    private StoredMessage lease(Entry e, ClaimRequest request, String token, boolean isolated, long nowMillis) {
        if (e.order != null) {
            e.order.remove(e);
        }
        leased.add(e, nowMillis + request.leaseMillis());
        e.holder = token;
        StoredMessage message = e.toHandedOut(State.RESERVED, Receipt.of(e.id, token), isolated);
        e.tries++;
        e.delivered = true;
        return message;
    }

    /** Takes a message from its holder, uncounted, because an earlier one of its key goes back or gets another holder. */
    private void takeBack(Entry e) {
        if (e.order == leased) {
            e.tries--;
        }
        e.holder = null;
        keys.block(e);
    }

    Outcome ack(Receipt receipt, long historyMillis, long nowMillis) {
        return settle(receipt, e -> {
            removeEntry(e, nowMillis);
            addToHistory(e, historyMillis, nowMillis);
        });
    }

    Outcome release(ReleaseRequest.Item item, long nowMillis) {
        return settle(item.receipt(), e -> {
            keys.admittedBehind(e).forEach(this::takeBack);
            detach(e);
            e.holder = null;
            e.expired = false;
            if (!item.counted()) {
                e.tries--;
            }
            Due due = item.due();
            schedule(e, due == null ? e.dueMillis : due.resolve(nowMillis), nowMillis);
            promote(e.key, nowMillis);
        });
    }

    Outcome extend(Receipt receipt, long leaseEndMillis) {
        return settle(receipt, e -> {
            if (e.order != null) {
                e.order.remove(e);
            }
            leased.add(e, leaseEndMillis);
        });
    }

    /** Moves a message into another table, which the caller has locked too, or within this one. */
    Outcome move(MoveItem item, MessageTable target, long nowMillis) {
        return settle(item.receipt(), e -> {
            removeEntry(e, nowMillis);
            if (!target.live.containsKey(e.id)) {
                target.add(e.moved(item, ids.nextSeq(), nowMillis), item.due().resolve(nowMillis), nowMillis);
            }
        });
    }

    RemoveOutcome remove(String id, long nowMillis) {
        return switch (edit(id, e -> removeEntry(e, nowMillis))) {
            case DONE -> RemoveOutcome.REMOVED;
            case HELD -> RemoveOutcome.HELD;
            case ABSENT -> RemoveOutcome.ABSENT;
        };
    }

    EditOutcome reschedule(String id, Due due, long nowMillis) {
        return edit(id, e -> {
            detach(e);
            e.holder = null;
            schedule(e, due.resolve(nowMillis), nowMillis);
            promote(e.key, nowMillis);
        });
    }

    /** Moves a message that no consumer holds into another table, which the caller has locked too. */
    EditOutcome moveIdle(String id, MoveIdleRequest request, MessageTable target, long nowMillis) {
        return edit(id, e -> {
            removeEntry(e, nowMillis);
            if (!target.live.containsKey(e.id)) {
                Entry moved = e.moved(request, ids.nextSeq(), nowMillis);
                target.add(moved, request.keepsTriesAndDue() ? e.dueMillis : nowMillis, nowMillis);
            }
        });
    }

    /** Runs a step on a message that no consumer holds. */
    private EditOutcome edit(String id, Consumer<Entry> step) {
        Entry e = live.get(id);
        if (e == null) {
            return EditOutcome.ABSENT;
        }
        if (e.order == leased) {
            return EditOutcome.HELD;
        }
        step.accept(e);
        return EditOutcome.DONE;
    }

    long purge() {
        List<Entry> purged =
                live.values().stream().filter(e -> e.order != leased).toList();
        live.values().removeIf(e -> e.order != leased);
        keys.forget(purged);
        ready.clear();
        scheduled.clear();
        return purged.size();
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

    private void add(Entry e, long dueMillis, long nowMillis) {
        used = true;
        live.put(e.id, e);
        schedule(e, dueMillis, nowMillis);
    }

    private void schedule(Entry e, long dueMillis, long nowMillis) {
        e.dueMillis = dueMillis;
        boolean dueLater = dueMillis > nowMillis;
        if (keys.admit(e, dueLater)) {
            (dueLater ? scheduled : ready).add(e, dueMillis);
        }
    }

    /**
     * Lets the next message of a key in, after one has left or became due later. It is due from now on, so that a key with many
     * messages does not keep others waiting.
     */
    private void promote(@Nullable String key, long nowMillis) {
        Entry e = keys.next(key);
        if (e == null) {
            return;
        }
        e.dueMillis = Math.max(e.dueMillis, nowMillis);
        promotedMillis = Math.min(promotedMillis, e.dueMillis);
        (e.dueMillis > nowMillis ? scheduled : ready).add(e, e.dueMillis);
    }

    /** The earliest due time of the messages that were let in since {@link #advance}; empty for none. */
    OptionalLong promotedMillis() {
        return promotedMillis == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(Math.max(1, promotedMillis));
    }

    private void removeEntry(Entry e, long nowMillis) {
        live.remove(e.id);
        detach(e);
        promote(e.key, nowMillis);
    }

    private void detach(Entry e) {
        PositionOrder order = e.order;
        if (order != null) {
            order.remove(e);
        }
        keys.leave(e);
    }

    private void addToHistory(Entry e, long historyMillis, long nowMillis) {
        if (historyMillis > 0) {
            history.add(e, nowMillis + historyMillis);
        }
    }
}

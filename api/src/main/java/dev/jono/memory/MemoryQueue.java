package dev.jono.memory;

import dev.jono.EditOutcome;
import dev.jono.memory.RecentCalls.Op;
import dev.jono.spi.BlockingQueueStore;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseResult;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.EditResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.ForgetRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One queue of a {@link MemoryBackend}. Each call is one step under the lock of the {@link MessageTable}. A call that
 * is repeated with its token gets the first result. Thread-safe.
 */
final class MemoryQueue implements BlockingQueueStore {
    private static final Op<InsertResult> INSERT = insertOp("insert");
    private static final Op<InsertResult> RESTORE = insertOp("restore");
    private static final Op<ClaimResult> TAKE = claimOp("take");
    private static final Op<ClaimResult> CLAIM = claimOp("claim");
    private static final Op<SettleResult> ACK = settleOp("ack");
    private static final Op<SettleResult> RELEASE = settleOp("release");
    private static final Op<SettleResult> EXTEND = settleOp("extend");
    private static final Op<SettleResult> MOVE = settleOp("move");
    private static final Op<EditResult> EDIT =
            new Op<>("edit", EditResult.class, r -> 8L * r.outcomes().size());
    private static final Op<RemoveResult> REMOVE =
            new Op<>("remove", RemoveResult.class, r -> 8L * r.outcomes().size());

    private final MemoryBackend backend;
    private final MemoryStorage storage;
    private final String name;
    private final long historyMillis;
    private final int maxPerKey;

    MemoryQueue(MemoryBackend backend, MemoryStorage storage, QueueSpec spec, long historyMillis) {
        this.backend = backend;
        this.storage = storage;
        this.name = spec.name();
        this.maxPerKey = spec.maxPerKey();
        this.historyMillis = historyMillis;
    }

    @Override
    public InsertResult insert(InsertRequest request) {
        return once(
                INSERT, request.token(), (table, now) -> inserted(request.messages(), m -> table.insert(m, now), now));
    }

    @Override
    public InsertResult restore(RestoreRequest request) {
        return once(
                RESTORE,
                request.token(),
                (table, now) -> inserted(request.messages(), m -> table.restore(m, now), now));
    }

    @Override
    public ClaimResult take(ClaimRequest request) {
        return once(TAKE, request.token(), (table, now) -> {
            table.requireSameKeys(maxPerKey);
            return claimed(table, table.take(request.max(), historyMillis, now), now);
        });
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return once(CLAIM, request.token(), (table, now) -> {
            table.requireSameKeys(maxPerKey);
            return claimed(table, table.claim(request, now), now);
        });
    }

    @Override
    public SettleResult ack(SettleRequest request) {
        return once(
                ACK,
                request.token(),
                (table, now) -> settled(table, request.receipts(), r -> table.ack(r, historyMillis, now), now));
    }

    @Override
    public SettleResult release(ReleaseRequest request) {
        return once(
                RELEASE,
                request.token(),
                (table, now) -> settled(table, request.items(), i -> table.release(i, now), now));
    }

    @Override
    public SettleResult extend(ExtendRequest request) {
        return once(EXTEND, request.token(), (table, now) -> {
            long end = now + request.leaseMillis();
            return settled(table, request.receipts(), r -> table.extend(r, end), now);
        });
    }

    @Override
    public SettleResult move(MoveRequest request) {
        Set<String> targets = request.items().stream().map(MoveItem::toQueue).collect(Collectors.toSet());
        return lockedWith(
                targets,
                tables -> once(
                        MOVE,
                        request.token(),
                        (table, now) -> settled(
                                table,
                                request.items(),
                                item -> table.move(item, tables.apply(item.toQueue()), now),
                                now)));
    }

    @Override
    public EditResult moveIdle(MoveIdleRequest request) {
        return lockedWith(
                Set.of(request.toQueue()),
                tables -> once(
                        EDIT,
                        request.token(),
                        (table, now) -> edited(
                                request.ids(),
                                id -> table.moveIdle(id, request, tables.apply(request.toQueue()), now),
                                now)));
    }

    @Override
    public EditResult reschedule(RescheduleRequest request) {
        return once(
                EDIT,
                request.token(),
                (table, now) -> edited(request.ids(), id -> table.reschedule(id, request.due(), now), now));
    }

    /** Runs a step that holds the locks of this queue's table and of others, which it gets by their names. */
    private <R> R lockedWith(Set<String> others, Function<Function<String, MessageTable>, R> step) {
        while (true) {
            Map<String, MessageTable> targets = new HashMap<>();
            others.forEach(other -> targets.put(other, storage.table(other)));
            TreeMap<Integer, MessageTable> involved = new TreeMap<>();
            MessageTable own = storage.table(name);
            involved.put(own.number, own);
            targets.values().forEach(target -> involved.put(target.number, target));
            // All moves lock tables in the order of their numbers, so that no two moves wait for each other.
            involved.values().forEach(table -> table.lock.lock());
            try {
                if (involved.values().stream().noneMatch(MessageTable::deleted)) {
                    return step.apply(other -> Objects.requireNonNull(targets.get(other)));
                }
            } finally {
                involved.values().forEach(table -> table.lock.unlock());
            }
        }
    }

    @Override
    public void makeKeyed() {
        // Not with locked(), which refuses a queue that has another setting.
        lockedWith(Set.of(name), tables -> {
            tables.apply(name).makeKeyed(maxPerKey);
            return true;
        });
    }

    @Override
    public RemoveResult remove(RemoveRequest request) {
        return once(
                REMOVE,
                request.token(),
                (table, now) -> RemoveResult.builder()
                        .outcomes(each(request.ids(), id -> table.remove(id, now)))
                        .build());
    }

    @Override
    public boolean forget(ForgetRequest request) {
        return locked((table, now) -> table.uniqueKeys(request.scope()).forget(request));
    }

    @Override
    public BrowseResult browse(BrowseRequest request) {
        boolean history = request.view() == BrowseRequest.View.HISTORY;
        return locked((table, now) -> {
            List<StoredMessage> found;
            if (request.ids().isEmpty()) {
                found = history
                        ? table.history.page(request.after(), request.limit())
                        : table.view.page(request.after(), request.limit());
            } else {
                found = history ? table.history.find(request.ids()) : table.view.find(request.ids());
            }
            return BrowseResult.builder().messages(found).storageMillis(now).build();
        });
    }

    @Override
    public CountsResult counts(CountsRequest request) {
        return locked((table, now) -> table.view.counts(request.history(), now));
    }

    @Override
    public long purge() {
        return locked((table, now) -> table.purge());
    }

    @Override
    public DeleteResult delete(DeleteRequest request) {
        return locked((table, now) -> {
            DeleteResult result = table.delete(request.withMessages());
            if (result.deleted()) {
                storage.forget(table);
            }
            return result;
        });
    }

    /** Work on the table of the queue, whose lock is held. */
    private interface Step<R> {
        R run(MessageTable table, long nowMillis);
    }

    private static ClaimResult claimed(MessageTable table, List<StoredMessage> messages, long nowMillis) {
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(table.view.nextMillis(nowMillis))
                .storageMillis(nowMillis)
                .build();
    }

    private static <T> InsertResult inserted(List<T> messages, Function<T, InsertResult.Item> step, long nowMillis) {
        return InsertResult.builder()
                .items(each(messages, step))
                .storageMillis(nowMillis)
                .build();
    }

    private static <T> SettleResult settled(
            MessageTable table, List<T> items, Function<T, SettleResult.Outcome> step, long nowMillis) {
        return SettleResult.builder()
                .outcomes(each(items, step))
                .promotedMillis(table.promotedMillis())
                .storageMillis(nowMillis)
                .build();
    }

    private static EditResult edited(List<String> ids, Function<String, EditOutcome> step, long nowMillis) {
        return EditResult.builder()
                .outcomes(each(ids, step))
                .storageMillis(nowMillis)
                .build();
    }

    private static <T, R> List<R> each(List<T> items, Function<T, R> step) {
        List<R> results = new ArrayList<>(items.size());
        for (T item : items) {
            results.add(step.apply(item));
        }
        return results;
    }

    private <R> R once(Op<R> op, String token, Step<R> step) {
        return locked((table, now) -> {
            R known = storage.calls.find(op, name, token);
            if (known != null) {
                return known;
            }
            R result = step.run(table, now);
            storage.calls.keep(op, name, token, result, now);
            return result;
        });
    }

    private <R> R locked(Step<R> step) {
        backend.requireOpen(name);
        while (true) {
            MessageTable table = storage.table(name);
            table.lock.lock();
            try {
                if (!table.deleted()) {
                    long now = storage.clock.millis();
                    table.requireKeys(maxPerKey);
                    table.advance(now);
                    return step.run(table, now);
                }
            } finally {
                table.lock.unlock();
            }
        }
    }

    private static Op<InsertResult> insertOp(String name) {
        return new Op<>(name, InsertResult.class, r -> 100L * r.items().size());
    }

    /** Payloads count with a quarter of their size, so that a few large ones do not evict all other calls. */
    private static Op<ClaimResult> claimOp(String name) {
        return new Op<>(
                name,
                ClaimResult.class,
                r -> r.messages().stream()
                        .mapToLong(m -> 200L + m.payload().size() / 4)
                        .sum());
    }

    private static Op<SettleResult> settleOp(String name) {
        return new Op<>(name, SettleResult.class, r -> 8L * r.outcomes().size());
    }
}

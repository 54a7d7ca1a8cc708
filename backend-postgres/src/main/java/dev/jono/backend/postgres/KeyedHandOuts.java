package dev.jono.backend.postgres;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Claims and takes of a keyed queue. Used by one thread, within one transaction. */
final class KeyedHandOuts {
    private static final String CLAIM = "UPDATE jono.message SET state = 1, claim = ?, lease = ?, tries = tries + 1"
            + " WHERE id = ANY (?::bigint[])";
    private static final String TAKE = "DELETE FROM jono.message WHERE id = ANY (?::bigint[])";

    private final SqlTransaction tx;
    private final QueueView view;
    private final Queues.Found queue;
    private final DueMessages due;
    private final OrderingKeys keys;

    /** @param lookFurther whether to look for ended leases and postponed promotions although enough messages are free */
    KeyedHandOuts(SqlTransaction tx, QueueView view, Queues.Found queue, boolean lookFurther) {
        this.tx = tx;
        this.view = view;
        this.queue = queue;
        this.due = new DueMessages(tx, view, queue, lookFurther);
        this.keys = new OrderingKeys(tx, queue);
    }

    ClaimResult claim(ClaimRequest request) throws SQLException {
        KeyedChoice choice = new KeyedChoice(tx, view, queue, due, request);
        List<MessageRow> chosen = choice.choose();
        boolean isolated = !chosen.isEmpty() && KeyedChoice.needsIsolation(chosen.get(0), request);
        long claim = Ids.claim(request.token());
        long leaseEndMillis = queue.nowMillis() + request.leaseMillis();
        lease(chosen, claim, leaseEndMillis);
        List<StoredMessage> messages = new ArrayList<>(chosen.size());
        for (MessageRow row : chosen) {
            messages.add(row.message(view.queue())
                    .expired(row.isHeld())
                    .isolated(isolated)
                    .firstDelivery(row.isNew())
                    .state(StoredMessage.State.RESERVED)
                    .leaseEndMillis(leaseEndMillis)
                    .receipt(Ids.receipt(row.id(), row.xid(), claim))
                    .build());
        }
        return result(request, messages, choice.others());
    }

    private void lease(List<MessageRow> rows, long claim, long leaseEndMillis) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement update = tx.prepare(CLAIM)) {
            update.setLong(1, claim);
            update.setLong(2, leaseEndMillis);
            update.setArray(3, tx.longs(rows.stream().map(MessageRow::id).toList()));
            update.executeUpdate();
        }
    }

    /** A take needs no place of a key: the messages do not stay held. */
    ClaimResult take(ClaimRequest request) throws SQLException {
        List<MessageRow> rows = due.read(request.max());
        List<Long> ids = rows.stream().map(MessageRow::id).toList();
        if (!rows.isEmpty()) {
            History.keep(tx, view, queue.nowMillis(), ids);
            try (PreparedStatement take = tx.prepare(TAKE)) {
                take.setArray(1, tx.longs(ids));
                take.executeUpdate();
            }
            keys.promote(keys(rows));
        }
        List<StoredMessage> messages = new ArrayList<>(rows.size());
        for (MessageRow row : rows) {
            messages.add(row.message(view.queue()).expired(row.isHeld()).build());
        }
        return result(request, messages, due.more());
    }

    private static Set<String> keys(List<MessageRow> rows) {
        Set<String> keys = new HashSet<>();
        for (MessageRow row : rows) {
            if (row.key() != null) {
                keys.add(row.key());
            }
        }
        return keys;
    }

    private ClaimResult result(ClaimRequest request, List<StoredMessage> messages, boolean others) throws SQLException {
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(messages.size() == request.max() || others ? 0 : nextMillis())
                .storageMillis(queue.nowMillis())
                .build();
    }

    private long nextMillis() throws SQLException {
        try (PreparedStatement next = tx.prepare(Counts.NEXT_OF_QUEUES)) {
            next.setArray(1, tx.texts(List.of(view.queue())));
            next.setArray(2, tx.longs(List.of(0L)));
            next.setArray(3, tx.longs(List.of(0L)));
            try (ResultSet row = SqlTransaction.resultAfter(1, next)) {
                return row.next() ? HandOuts.millisUntil(row, 2, queue.nowMillis()) : ClaimResult.NONE;
            }
        }
    }
}

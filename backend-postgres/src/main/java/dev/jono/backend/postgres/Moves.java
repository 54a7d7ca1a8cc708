package dev.jono.backend.postgres;

import dev.jono.EncodedPayload;
import dev.jono.spi.HeaderText;
import dev.jono.spi.MoveItem;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Moves of reserved messages into other queues. A move updates the row, which keeps its id. */
final class Moves {
    private final SqlTransaction tx;
    private final QueueView view;
    private final Queues.Found queue;

    Moves(SqlTransaction tx, QueueView view, Queues.Found queue) {
        this.tx = tx;
        this.view = view;
        this.queue = queue;
    }

    SettleResult move(List<MoveItem> items) throws SQLException {
        Settlements settlements = new Settlements(tx, view, queue);
        List<Settlements.Settled> held =
                settlements.find(items.stream().map(MoveItem::receipt).toList());
        List<Outcome> outcomes = new ArrayList<>(items.size());
        Map<Long, MoveTarget.Head> heads = MoveTarget.heads(
                tx,
                held.stream()
                        .filter(Settlements.Settled::done)
                        .map(Settlements.Settled::row)
                        .toList());
        Map<String, List<MoveTarget.Moved>> byTarget = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            Settlements.Settled settled = held.get(i);
            boolean again = settled.done() && !seen.add(settled.row());
            outcomes.add(settled.outcome());
            MoveTarget.Head head = settled.done() && !again ? heads.get(settled.row()) : null;
            if (head != null) {
                byTarget.computeIfAbsent(items.get(i).toQueue(), name -> new ArrayList<>())
                        .add(moved(items.get(i), head));
            }
        }
        for (Map.Entry<String, List<MoveTarget.Moved>> target : byTarget.entrySet()) {
            new MoveTarget(tx, view, queue, target.getKey()).store(target.getValue());
        }
        settlements.promote(held);
        return settlements.result(outcomes);
    }

    private MoveTarget.Moved moved(MoveItem item, MoveTarget.Head head) {
        EncodedPayload payload = item.payload();
        String headers = head.headers();
        if (!item.addHeaders().isEmpty() || !item.dropHeaders().isEmpty()) {
            headers = HeaderText.write(MessageRow.readable(headers).merged(item.dropHeaders(), item.addHeaders()));
        }
        long due = item.due().resolve(queue.nowMillis());
        return new MoveTarget.Moved(head, due, item.tries(), headers, payload);
    }
}

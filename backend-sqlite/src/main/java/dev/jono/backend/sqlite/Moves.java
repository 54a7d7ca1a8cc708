package dev.jono.backend.sqlite;

import dev.jono.Headers;
import dev.jono.spi.HeaderText;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves reserved messages into other queues of the file. A move updates the row, which keeps its id. */
final class Moves {
    private final Transaction tx;
    private final QueueView view;
    private final SqliteConnection connection;
    private final Settlements settling;
    private final MoveTarget target;

    private Moves(Transaction tx, QueueView view) throws SQLException {
        this.tx = tx;
        this.view = view;
        this.connection = tx.connection();
        this.settling = new Settlements(tx, view);
        this.target = new MoveTarget(tx, view, settling.now());
    }

    static SettleResult move(Transaction tx, QueueView view, MoveRequest request) throws SQLException {
        Moves moving = new Moves(tx, view);
        List<Outcome> outcomes = new ArrayList<>(request.items().size());
        for (MoveItem item : request.items()) {
            outcomes.add(moving.move(item, request.announce()));
        }
        return moving.settling.result(outcomes);
    }

    private Outcome move(MoveItem item, boolean announce) throws SQLException {
        long row = Ids.row(item.receipt());
        PreparedStatement head = connection.prepare(Sql.MOVE_HEAD);
        head.setLong(1, row);
        head.setLong(2, Ids.claim(item.receipt()));
        head.setLong(3, settling.queue());
        String xid;
        String headers;
        try (ResultSet rows = head.executeQuery()) {
            if (!rows.next()) {
                return settling.lostOutcome(item.receipt());
            }
            xid = rows.getString(1);
            headers = rows.getString(2);
            settling.left(rows.getString(3));
        }
        Headers merged = item.addHeaders().isEmpty() && item.dropHeaders().isEmpty()
                ? null
                : readable(headers).merged(item.dropHeaders(), item.addHeaders());
        long due = item.due().resolve(settling.now());
        target.store(
                row,
                xid,
                item.toQueue(),
                due,
                item.tries(),
                merged == null ? headers : HeaderText.write(merged),
                item.payload());
        if (announce) {
            view.announce(tx, item.toQueue(), due);
        }
        return Outcome.DONE;
    }

    /** Drops broken headers, which only another program can have written. The dead letter's error quotes them. */
    static Headers readable(@Nullable String stored) {
        try {
            return HeaderText.read(stored);
        } catch (IllegalArgumentException e) {
            return Headers.empty();
        }
    }
}

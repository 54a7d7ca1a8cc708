package dev.jono.backend.sqlite;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves reserved messages into other queues of the file. A move updates the row, which keeps its id. */
final class Moves {
    private final Transaction tx;
    private final QueueView view;
    private final SqliteConnection connection;
    private final Settlements settling;

    private Moves(Transaction tx, QueueView view) throws SQLException {
        this.tx = tx;
        this.view = view;
        this.connection = tx.connection();
        this.settling = new Settlements(tx, view);
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
        }
        long target = tx.queueId(item.toQueue());
        if (xid != null && target != settling.queue() && holds(target, xid)) {
            // It was moved there before. The message that the target holds under this id stays as it is.
            PreparedStatement delete = connection.prepare(Sql.DELETE);
            delete.setLong(1, row);
            delete.executeUpdate();
            return Outcome.DONE;
        }
        long due = item.due().resolve(settling.now());
        store(row, target, due, item, merged(headers, item));
        if (announce) {
            view.announce(tx, item.toQueue(), due);
        }
        return Outcome.DONE;
    }

    private static @Nullable String merged(@Nullable String stored, MoveItem item) {
        if (item.addHeaders().isEmpty() && item.dropHeaders().isEmpty()) {
            return stored;
        }
        return HeaderText.write(readable(stored).merged(item.dropHeaders(), item.addHeaders()));
    }

    /** Drops broken headers, which only another program can have written. The dead letter's error quotes them. */
    private static Headers readable(@Nullable String stored) {
        try {
            return HeaderText.read(stored);
        } catch (IllegalArgumentException e) {
            return Headers.empty();
        }
    }

    private boolean holds(long queue, String xid) throws SQLException {
        PreparedStatement find = connection.prepare("SELECT 1 FROM message WHERE queue=? AND xid=?");
        find.setLong(1, queue);
        find.setString(2, xid);
        try (ResultSet rows = find.executeQuery()) {
            return rows.next();
        }
    }

    private void store(long row, long queue, long due, MoveItem item, @Nullable String headers) throws SQLException {
        PreparedStatement move = connection.prepare(Sql.MOVE);
        move.setLong(1, queue);
        move.setLong(2, due);
        move.setInt(3, item.tries());
        move.setString(4, headers);
        EncodedPayload payload = item.payload();
        if (payload == null) {
            move.setNull(5, Types.BLOB);
            move.setNull(6, Types.INTEGER);
        } else {
            move.setBytes(5, payload.bytes());
            move.setInt(6, MessageRow.code(payload.kind()));
        }
        move.setLong(7, row);
        move.executeUpdate();
    }
}

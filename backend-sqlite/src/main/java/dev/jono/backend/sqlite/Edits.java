package dev.jono.backend.sqlite;

import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.spi.EditResult;
import dev.jono.spi.HeaderText;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.RescheduleRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reschedules and moves messages that no consumer holds. */
final class Edits {
    private Edits() {}

    static EditResult reschedule(Transaction tx, QueueView view, RescheduleRequest request) throws SQLException {
        IdleMessages idle = new IdleMessages(tx, view);
        long due = request.due().resolve(idle.now());
        PreparedStatement change = tx.connection().prepare(Sql.RESCHEDULE);
        return changeAll(idle, request.ids(), row -> {
            change.setLong(1, due);
            change.setLong(2, row);
            change.executeUpdate();
        });
    }

    static EditResult moveIdle(Transaction tx, QueueView view, MoveIdleRequest request) throws SQLException {
        IdleMessages idle = new IdleMessages(tx, view);
        MoveTarget target = new MoveTarget(tx, view, idle.now());
        return changeAll(idle, request.ids(), row -> {
            PreparedStatement find = tx.connection().prepare(Sql.IDLE_HEAD);
            find.setLong(1, row);
            String xid;
            String headers;
            int tries;
            long due;
            try (ResultSet rows = find.executeQuery()) {
                rows.next();
                xid = rows.getString(1);
                headers = rows.getString(2);
                tries = rows.getInt(3);
                due = rows.getLong(4);
            }
            String kept = HeaderText.write(Moves.readable(headers).merged(request.dropHeaders(), Headers.empty()));
            boolean keeps = request.keepsTriesAndDue();
            target.store(row, xid, request.toQueue(), keeps ? due : idle.now(), keeps ? tries : 0, kept, null);
        });
    }

    private static EditResult changeAll(IdleMessages idle, List<String> ids, IdleMessages.Change change)
            throws SQLException {
        List<EditOutcome> outcomes = new ArrayList<>(ids.size());
        for (String id : ids) {
            outcomes.add(idle.change(id, change));
        }
        idle.promote();
        return EditResult.builder().outcomes(outcomes).storageMillis(idle.now()).build();
    }
}

package dev.jono.backend.postgres;

import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.RemoveOutcome;
import dev.jono.spi.EditResult;
import dev.jono.spi.HeaderText;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RescheduleRequest;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reschedules, moves and removes messages that no consumer holds. Used by one thread, within one transaction. */
final class Edits {
    /** A blocked message stays blocked. */
    private static final String RESCHEDULE = "UPDATE jono.message SET state = CASE WHEN state = 2 THEN 2 ELSE 0 END,"
            + " claim = 0, due = ? WHERE id = ANY (?::bigint[])";

    private static final String DELETE = "DELETE FROM jono.message WHERE id = ANY (?::bigint[])";

    private final SqlTransaction tx;
    private final QueueView view;
    private final Queues.Found queue;

    Edits(SqlTransaction tx, QueueView view, Queues.Found queue) {
        this.tx = tx;
        this.view = view;
        this.queue = queue;
    }

    EditResult reschedule(RescheduleRequest request) throws SQLException {
        long due = request.due().resolve(queue.nowMillis());
        return result(new IdleMessages(tx, queue).change(request.ids(), idle -> {
            try (PreparedStatement change = tx.prepare(RESCHEDULE)) {
                change.setLong(1, due);
                change.setArray(2, tx.longs(rows(idle)));
                change.executeUpdate();
            }
        }));
    }

    EditResult moveIdle(MoveIdleRequest request) throws SQLException {
        return result(new IdleMessages(tx, queue).change(request.ids(), idle -> {
            List<MoveTarget.Moved> moved = new ArrayList<>(idle.size());
            for (IdleMessages.Idle each : idle) {
                moved.add(moved(request, each));
            }
            new MoveTarget(tx, view, queue, request.toQueue()).store(moved);
        }));
    }

    private MoveTarget.Moved moved(MoveIdleRequest request, IdleMessages.Idle idle) {
        boolean keeps = request.keepsTriesAndDue();
        Headers headers = MessageRow.readable(idle.head().headers()).merged(request.dropHeaders(), Headers.empty());
        return new MoveTarget.Moved(
                idle.head(),
                keeps ? idle.dueMillis() : queue.nowMillis(),
                keeps ? idle.tries() : 0,
                HeaderText.write(headers),
                null);
    }

    RemoveResult remove(List<String> ids) throws SQLException {
        List<EditOutcome> outcomes = new IdleMessages(tx, queue).change(ids, idle -> {
            try (PreparedStatement delete = tx.prepare(DELETE)) {
                delete.setArray(1, tx.longs(rows(idle)));
                delete.executeUpdate();
            }
        });
        return RemoveResult.builder()
                .outcomes(outcomes.stream().map(Edits::removed).toList())
                .build();
    }

    private static RemoveOutcome removed(EditOutcome outcome) {
        return switch (outcome) {
            case DONE -> RemoveOutcome.REMOVED;
            case HELD -> RemoveOutcome.HELD;
            case ABSENT -> RemoveOutcome.ABSENT;
        };
    }

    private static List<Long> rows(List<IdleMessages.Idle> idle) {
        return idle.stream().map(IdleMessages.Idle::row).toList();
    }

    private EditResult result(List<EditOutcome> outcomes) {
        return EditResult.builder()
                .outcomes(outcomes)
                .storageMillis(queue.nowMillis())
                .build();
    }
}

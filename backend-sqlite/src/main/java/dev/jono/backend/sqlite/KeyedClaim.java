package dev.jono.backend.sqlite;

import dev.jono.spi.ClaimRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses what a claim of a keyed queue may lease: the first message of each key, and with it the following ones if the caller
 * takes several of one key. Within a transaction, on the writer's thread.
 */
final class KeyedClaim {
    private final KeyedRows keyed;
    private final ClaimRequest request;
    private final long now;
    private final List<MessageRow> chosen = new ArrayList<>();

    /** How many messages of each key are chosen that were not held. */
    private final Map<String, Integer> perKey = new HashMap<>();

    private KeyedClaim(KeyedRows keyed, ClaimRequest request, long now) {
        this.keyed = keyed;
        this.request = request;
        this.now = now;
    }

    /** Replaces the due messages by those that the claim leases. If all of them had to be blocked, reads those behind them. */
    static void choose(KeyedRows keyed, DueMessages due, ClaimRequest request) throws SQLException {
        KeyedClaim claim = new KeyedClaim(keyed, request, due.now());
        boolean more = claim.addAll(due.rows());
        while (claim.chosen.isEmpty() && !due.rows().isEmpty()) {
            due.readAgain();
            more = claim.addAll(due.rows());
        }
        due.replace(claim.chosen, more);
    }

    /** Adds those messages that the claim leases; returns whether there were others. */
    private boolean addAll(List<MessageRow> rows) throws SQLException {
        boolean others = false;
        for (MessageRow row : rows) {
            others |= chosen.size() >= request.max() || !add(row);
        }
        return others;
    }

    /** Adds a message, and those that follow it. Blocks it and returns false if its key allows no more messages to be held. */
    private boolean add(MessageRow row) throws SQLException {
        String key = row.key();
        if (key == null) {
            chosen.add(row);
            return true;
        }
        // A message whose lease has ended still counts as held.
        if (!keyed.strict() && !row.isClaimed()) {
            if (keyed.allHeld(key, perKey.getOrDefault(key, 0))) {
                keyed.block(row.id());
                return false;
            }
            perKey.merge(key, 1, Integer::sum);
        }
        chosen.add(row);
        if (keyed.strict()) {
            if (row.isClaimed()) {
                keyed.takeBackBehind(row.id(), key);
            }
            addFollowing(row, key);
        }
        return true;
    }

    private void addFollowing(MessageRow first, String key) throws SQLException {
        int room = Math.min(request.maxPerKey() - 1, request.max() - chosen.size());
        if (room <= 0 || Claims.needsIsolation(first, request)) {
            return;
        }
        for (MessageRow row : keyed.following(key, room)) {
            if (row.dueMillis() > now || Claims.needsIsolation(row, request)) {
                return;
            }
            chosen.add(row);
        }
    }
}

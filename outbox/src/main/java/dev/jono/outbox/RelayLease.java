package dev.jono.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Decides which process relays. The holder raises a number before each batch. Another process takes over when it has seen the
 * same number for ten seconds while there was work, so no clocks are compared. A holder that was only slow can relay messages
 * a second time, which their unique keys make harmless. Used by one thread.
 */
final class RelayLease {
    private static final long TAKEOVER_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String table;
    private final String self = UUID.randomUUID().toString();
    private String seenHolder = "";
    private long seenBeat = -1;
    private long seenNanos;

    RelayLease(String table) {
        this.table = table + "_relay";
    }

    /** Whether this process is to relay now. */
    boolean hold(Connection connection, long nanos) throws SQLException {
        return beat(connection) || takeOver(connection, nanos);
    }

    private boolean beat(Connection connection) throws SQLException {
        try (PreparedStatement beat =
                connection.prepareStatement("update " + table + " set beat = beat + 1 where id = 1 and holder = ?")) {
            beat.setString(1, self);
            return beat.executeUpdate() == 1;
        }
    }

    private boolean takeOver(Connection connection, long nanos) throws SQLException {
        String holder;
        long beat;
        try (PreparedStatement select =
                        connection.prepareStatement("select holder, beat from " + table + " where id = 1");
                ResultSet rows = select.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException("the table " + table + " lacks its row; start an outbox with create(true)");
            }
            holder = rows.getString(1);
            beat = rows.getLong(2);
        }
        if (!holder.equals(seenHolder) || beat != seenBeat) {
            seenHolder = holder;
            seenBeat = beat;
            seenNanos = nanos;
        }
        boolean free = holder.isEmpty() || nanos - seenNanos > TAKEOVER_NANOS;
        return free && replace(connection, holder, beat);
    }

    private boolean replace(Connection connection, String holder, long beat) throws SQLException {
        try (PreparedStatement replace = connection.prepareStatement(
                "update " + table + " set holder = ?, beat = beat + 1 where id = 1 and holder = ? and beat = ?")) {
            replace.setString(1, self);
            replace.setString(2, holder);
            replace.setLong(3, beat);
            return replace.executeUpdate() == 1;
        }
    }

    /** Lets another process relay at once. */
    String release(Connection connection) throws SQLException {
        try (PreparedStatement release =
                connection.prepareStatement("update " + table + " set holder = '' where id = 1 and holder = ?")) {
            release.setString(1, self);
            release.executeUpdate();
        }
        return self;
    }
}

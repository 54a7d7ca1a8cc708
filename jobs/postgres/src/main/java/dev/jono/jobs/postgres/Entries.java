package dev.jono.jobs.postgres;

import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changes and reads entries within a transaction. Used by one thread. */
final class Entries {
    private static final String READ = "SELECT name, version, document FROM jono.job_entry WHERE kind = ?"
            + " AND name = ANY (?::text[]) ORDER BY name";
    private static final String LIST =
            "SELECT name, version, document FROM jono.job_entry WHERE kind = ? AND name > ? ORDER BY name LIMIT ?";
    private static final String VERSION = "SELECT version FROM jono.job_entry WHERE kind = ? AND name = ? FOR UPDATE";
    private static final String ADD = "INSERT INTO jono.job_entry (version, document, kind, name) VALUES (?, ?, ?, ?)"
            + " ON CONFLICT (kind, name) DO NOTHING";
    private static final String REPLACE =
            "UPDATE jono.job_entry SET version = ?, document = ? WHERE kind = ? AND name = ?";
    private static final String REMOVE = "DELETE FROM jono.job_entry WHERE kind = ? AND name = ?";

    private final SqlTransaction tx;

    Entries(SqlTransaction tx) {
        this.tx = tx;
    }

    /** Changes an entry. If another transaction has just added it, this one is not changed. */
    boolean change(EntryChange change) throws SQLException {
        String before = version(change);
        String document = change.document();
        if (change.version().equals(before) || (document == null && before == null)) {
            return true;
        }
        if (!Objects.equals(change.expected(), before)) {
            return false;
        }
        return document == null ? remove(change) : store(before == null ? ADD : REPLACE, change, document);
    }

    private boolean store(String sql, EntryChange change, String document) throws SQLException {
        try (PreparedStatement store = tx.prepareAnew(sql)) {
            store.setString(1, change.version());
            store.setString(2, document);
            store.setString(3, change.kind());
            store.setString(4, change.name());
            return store.executeUpdate() == 1;
        }
    }

    private boolean remove(EntryChange change) throws SQLException {
        try (PreparedStatement remove = tx.prepareAnew(REMOVE)) {
            remove.setString(1, change.kind());
            remove.setString(2, change.name());
            return remove.executeUpdate() == 1;
        }
    }

    /** The version of an entry, which is locked until the transaction ends; null if there is none. */
    private @Nullable String version(EntryChange change) throws SQLException {
        try (PreparedStatement select = tx.prepareAnew(VERSION)) {
            select.setString(1, change.kind());
            select.setString(2, change.name());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    EntryPage read(String kind, List<String> names) throws SQLException {
        try (PreparedStatement read = tx.prepareAnew(READ)) {
            read.setString(1, kind);
            read.setArray(2, tx.texts(names));
            return page(read);
        }
    }

    EntryPage list(String kind, String after, int max) throws SQLException {
        try (PreparedStatement list = tx.prepareAnew(LIST)) {
            list.setString(1, kind);
            list.setString(2, after);
            list.setInt(3, max);
            return page(list);
        }
    }

    private EntryPage page(PreparedStatement select) throws SQLException {
        List<StoredEntry> entries = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                entries.add(new StoredEntry(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        return new EntryPage(tx.nowMillis(), entries);
    }
}

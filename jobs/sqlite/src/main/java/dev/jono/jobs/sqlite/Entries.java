package dev.jono.jobs.sqlite;

import dev.jono.backend.sqlite.SqliteFile.Statements;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Changes and reads entries within a transaction. Used by one thread. */
final class Entries {
    private static final String COLUMNS = "SELECT name, version, document FROM job_entry WHERE kind=?1 AND ";
    private static final String READ = COLUMNS + "name=?2";
    private static final String LIST = COLUMNS + "name>?2 ORDER BY name LIMIT ?3";
    private static final String VERSION = "SELECT version FROM job_entry WHERE kind=?1 AND name=?2";
    private static final String STORE = "INSERT INTO job_entry(kind, name, version, document) VALUES(?1, ?2, ?3, ?4)"
            + " ON CONFLICT DO UPDATE SET version=excluded.version, document=excluded.document";
    private static final String REMOVE = "DELETE FROM job_entry WHERE kind=?1 AND name=?2";

    private final Statements statements;

    Entries(Statements statements) {
        this.statements = statements;
    }

    boolean change(EntryChange change) throws SQLException {
        String before = version(change);
        String document = change.document();
        if (change.version().equals(before) || (document == null && before == null)) {
            return true;
        }
        if (!Objects.equals(change.expected(), before)) {
            return false;
        }
        PreparedStatement write = of(document == null ? REMOVE : STORE, change.kind(), change.name());
        if (document != null) {
            write.setString(3, change.version());
            write.setString(4, document);
        }
        write.executeUpdate();
        return true;
    }

    private PreparedStatement of(String sql, String kind, String name) throws SQLException {
        PreparedStatement statement = statements.prepare(sql);
        statement.setString(1, kind);
        statement.setString(2, name);
        return statement;
    }

    private @Nullable String version(EntryChange change) throws SQLException {
        try (ResultSet row = of(VERSION, change.kind(), change.name()).executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    List<StoredEntry> read(String kind, List<String> names) throws SQLException {
        List<StoredEntry> entries = new ArrayList<>();
        SortedSet<String> sorted = new TreeSet<>(EntryPage.NAME_ORDER);
        sorted.addAll(names);
        for (String name : sorted) {
            entries.addAll(entries(of(READ, kind, name)));
        }
        return entries;
    }

    List<StoredEntry> list(String kind, String after, int max) throws SQLException {
        PreparedStatement list = of(LIST, kind, after);
        list.setInt(3, max);
        return entries(list);
    }

    private static List<StoredEntry> entries(PreparedStatement select) throws SQLException {
        List<StoredEntry> entries = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                entries.add(new StoredEntry(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        return entries;
    }
}

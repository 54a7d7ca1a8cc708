package dev.jono.jobs.sqlite;

import dev.jono.backend.sqlite.SqliteFile.Statements;
import java.sql.SQLException;
import java.util.List;

/** The tables of jobs. {@code until} is the end of a record's retention; null for no limit. */
final class Tables {
    private static final List<String> ALL = List.of(
            "CREATE TABLE IF NOT EXISTS job(id TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, state INTEGER NOT NULL,"
                    + " attempt INTEGER NOT NULL, changed INTEGER NOT NULL, until INTEGER, tags TEXT, document TEXT NOT NULL)",
            "CREATE INDEX IF NOT EXISTS job_list ON job(type, state, changed DESC, id)",
            "CREATE INDEX IF NOT EXISTS job_until ON job(until) WHERE until IS NOT NULL",
            "CREATE TABLE IF NOT EXISTS job_tag(type TEXT NOT NULL, tag TEXT NOT NULL, state INTEGER NOT NULL,"
                    + " changed INTEGER NOT NULL, id TEXT NOT NULL,"
                    + " PRIMARY KEY(type, tag, state, changed DESC, id)) WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS job_log(id TEXT NOT NULL, line INTEGER NOT NULL, time INTEGER NOT NULL,"
                    + " attempt INTEGER NOT NULL, bytes INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(id, line)) WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS job_event(number INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL)",
            "CREATE TABLE IF NOT EXISTS job_reader(id TEXT PRIMARY KEY NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS job_count(type TEXT NOT NULL, state INTEGER NOT NULL, number INTEGER NOT NULL,"
                    + " PRIMARY KEY(type, state)) WITHOUT ROWID",
            "CREATE TABLE IF NOT EXISTS job_entry(kind TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL,"
                    + " document TEXT NOT NULL, PRIMARY KEY(kind, name))",
            "INSERT OR IGNORE INTO meta(key, value) VALUES('jobs', 1)");

    private Tables() {}

    /** Creates missing tables and indexes. */
    static void create(Statements statements) throws SQLException {
        for (String table : ALL) {
            statements.prepare(table).executeUpdate();
        }
    }
}

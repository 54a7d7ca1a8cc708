package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.List;

/** The tables of a file, and the checks that a file belongs to Jono and to this version. */
final class Schema {
    /** {@code Jono} in ASCII. */
    static final int APPLICATION_ID = 0x4A6F6E6F;

    static final int VERSION = 2;

    /** The first SQLite without a known defect: with several writers, a reset of the log could corrupt the file. */
    private static final int[] OLDEST_SQLITE = {3, 51, 3};

    /**
     * Ids of a file begin at a random multiple of {@code 1 << ID_ROOM_BITS}, so a message that moves to another file
     * finds no message of the same id there. All ids are below 2^53, which a double can represent.
     */
    private static final int ID_ROOM_BITS = 32;

    private static final int ID_BASES = 1 << 21;

    private static final List<String> TABLES = List.of(
            "CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value NOT NULL) WITHOUT ROWID",
            "CREATE TABLE queue(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
            "CREATE TABLE message(id INTEGER PRIMARY KEY AUTOINCREMENT, queue INTEGER NOT NULL, due INTEGER NOT NULL,"
                    + " lease INTEGER NOT NULL, claim INTEGER NOT NULL, tries INTEGER NOT NULL, kind INTEGER NOT NULL,"
                    + " pushed INTEGER NOT NULL, xid TEXT, headers TEXT, payload BLOB NOT NULL)",
            "CREATE INDEX message_ready ON message(queue, due) WHERE claim<0",
            "CREATE INDEX message_held ON message(queue, lease) WHERE claim>0",
            "CREATE UNIQUE INDEX message_xid ON message(queue, xid) WHERE xid IS NOT NULL",
            "CREATE TABLE history(id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, done INTEGER NOT NULL,"
                    + " until INTEGER NOT NULL, xid TEXT, kind INTEGER NOT NULL, tries INTEGER NOT NULL,"
                    + " due INTEGER NOT NULL, pushed INTEGER NOT NULL, headers TEXT, payload BLOB NOT NULL)",
            "CREATE INDEX history_queue ON history(queue, done, until)",
            "CREATE INDEX history_until ON history(until)",
            "CREATE TABLE stat(namespace TEXT NOT NULL, queue TEXT NOT NULL, counter TEXT NOT NULL,"
                    + " value INTEGER NOT NULL, PRIMARY KEY(namespace, queue, counter)) WITHOUT ROWID",
            "CREATE TABLE paused(namespace TEXT NOT NULL, queue TEXT NOT NULL,"
                    + " PRIMARY KEY(namespace, queue)) WITHOUT ROWID",
            "INSERT INTO meta(key, value) VALUES('schema', 1), ('clock', 0)");

    /**
     * What version 2 adds: ordering keys and unique keys. {@code keyed} is {@link QueueView#maxPerKey} of a queue;
     * {@code admitted} is 1 for a message with a key that is not blocked, and changes less often than its claim.
     */
    private static final List<String> VERSION_2 = List.of(
            "ALTER TABLE queue ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE message ADD COLUMN key TEXT",
            "ALTER TABLE message ADD COLUMN admitted INTEGER NOT NULL DEFAULT 0"
                    + " CHECK(admitted=(key IS NOT NULL AND claim<>0))",
            "CREATE INDEX message_admitted ON message(queue, key) WHERE admitted=1",
            "CREATE INDEX message_blocked ON message(queue, key, id) WHERE claim=0",
            "CREATE TABLE unique_key(queue INTEGER NOT NULL, scope TEXT NOT NULL, key TEXT NOT NULL,"
                    + " message TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY(queue, scope, key)) WITHOUT ROWID",
            "CREATE INDEX unique_key_until ON unique_key(until)",
            "UPDATE meta SET value=2 WHERE key='schema'");

    private Schema() {}

    /** Refuses a file of another program without changing it. */
    static void refuseForeign(SqliteConnection connection, Path file) throws SQLException {
        checkLibrary(connection.queryText("SELECT sqlite_version()"));
        if (!isNew(connection)) {
            checkFile(connection, file);
        }
    }

    /** Sets the journal mode, and creates the tables in a new file. */
    static void prepare(SqliteConnection connection, Path file) throws SQLException {
        // A file that was written by VACUUM INTO is not in this mode.
        String mode = connection.queryText("PRAGMA journal_mode=WAL");
        if (!mode.equals("wal")) {
            throw new ConfigurationException("the file system of " + file + " does not support shared memory between"
                    + " processes (the journal mode is '" + mode + "'): put the file on a local file system");
        }
        if (isNew(connection)) {
            create(connection);
        }
        if (connection.queryNumber("PRAGMA user_version") == 1) {
            change(connection, VERSION_2, 2);
        }
    }

    private static void change(SqliteConnection connection, List<String> statements, int version) throws SQLException {
        connection.executeOnce(Sql.BEGIN);
        for (String statement : statements) {
            connection.executeOnce(statement);
        }
        connection.executeOnce("PRAGMA user_version=" + version);
        connection.executeOnce(Sql.COMMIT);
    }

    private static boolean isNew(SqliteConnection connection) throws SQLException {
        return connection.queryNumber("SELECT count(*) FROM sqlite_schema") == 0
                && connection.queryNumber("PRAGMA application_id") == 0
                && connection.queryNumber("PRAGMA user_version") == 0;
    }

    private static void create(SqliteConnection connection) throws SQLException {
        connection.executeOnce(Sql.BEGIN);
        for (String table : TABLES) {
            connection.executeOnce(table);
        }
        long base = (1L + new SecureRandom().nextInt(ID_BASES - 1)) << ID_ROOM_BITS;
        connection.executeOnce("INSERT INTO sqlite_sequence(name, seq) VALUES('message', " + base + ")");
        connection.executeOnce("PRAGMA application_id=" + APPLICATION_ID);
        connection.executeOnce("PRAGMA user_version=1");
        connection.executeOnce(Sql.COMMIT);
    }

    private static void checkFile(SqliteConnection connection, Path file) throws SQLException {
        if (connection.queryNumber("PRAGMA application_id") != APPLICATION_ID) {
            throw new ConfigurationException(file + " is a SQLite file of another program, and was not changed:"
                    + " name a new file for the queues");
        }
        long version = connection.queryNumber("PRAGMA user_version");
        if (version > VERSION) {
            throw new ConfigurationException(file + " has schema version " + version + ", and this jono-backend-sqlite"
                    + " knows versions up to " + VERSION + ": use the newer jono-backend-sqlite in every process");
        }
        if (version < 1) {
            throw new ConfigurationException(file + " has the invalid schema version " + version);
        }
    }

    static void checkLibrary(String version) {
        String[] parts = version.split("\\.", -1);
        for (int i = 0; i < OLDEST_SQLITE.length; i++) {
            int part = i < parts.length && parts[i].matches("[0-9]{1,6}") ? Integer.parseInt(parts[i]) : 0;
            if (part > OLDEST_SQLITE[i]) {
                return;
            }
            if (part < OLDEST_SQLITE[i]) {
                throw new ConfigurationException("the SQLite inside the driver org.xerial:sqlite-jdbc is " + version
                        + ", and 3.51.3 or newer is needed: let jono-backend-sqlite choose the driver's version, or set a newer"
                        + " one; Spring Boot takes the property sqlite-jdbc.version");
            }
        }
    }
}

package dev.jono.support.postgres;

import dev.jono.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The tables of Jono: creates them, and checks their version. The role that creates them may be another one than those that
 * use them. Stateless.
 */
public final class PostgresSchema {
    /** The version that this code needs, and the number of files with statements. */
    static final int VERSION = 1;

    /** What connections to PostgreSQL call their database. */
    static final String PRODUCT = "PostgreSQL";

    private static final String FILE = "schema-%d.sql";
    private static final String READ_VERSION = "SELECT value FROM jono.meta WHERE key = 'schema'";

    /** These read the catalogue as a table: functions such as to_regclass may not see what another transaction has just done. */
    private static final String FIND_SCHEMA = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?";

    private static final String FIND_TABLES = "SELECT 1 FROM pg_catalog.pg_namespace n"
            + " JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid WHERE n.nspname = ? AND c.relname = 'meta'";

    /** A number that no other program should use: "JonoSche" in ASCII. */
    private static final long CREATION_LOCK = 0x4A6F6E6F53636865L;

    private static final int MISSING = 0;

    private PostgresSchema() {}

    /**
     * The statements that create the schema and its tables, for {@code psql}.
     *
     * @param schema its name, as in {@link PostgresOptions#schema}
     */
    public static String script(String schema) {
        SqlTexts texts = new SqlTexts(PostgresOptions.schema(schema));
        StringBuilder script = new StringBuilder("BEGIN;\nCREATE SCHEMA IF NOT EXISTS \"" + schema + "\";\n\n");
        for (int version = 1; version <= VERSION; version++) {
            script.append(texts.replaced(statements(version))).append('\n');
        }
        return script.append("COMMIT;\n").toString();
    }

    private static String statements(int version) {
        try (InputStream file = PostgresSchema.class.getResourceAsStream(String.format(FILE, version))) {
            if (file == null) {
                throw new IllegalStateException("the jar lacks " + String.format(FILE, version));
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes sure that the tables are there, in the version that this code needs.
     *
     * @return the isolation of transactions that do not ask for one, as a number of {@link Connection}
     * @throws ConfigurationException if they are missing and must not be created, are of a newer version, or if the database is
     *     not PostgreSQL
     * @throws dev.jono.StorageException if the server cannot be reached, or refuses
     */
    static int prepare(DataSource source, PostgresOptions options) {
        SqlTexts texts = new SqlTexts(options.schema());
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!product.equals(PRODUCT)) {
                throw new ConfigurationException("the DataSource is of " + product + ", not of " + PRODUCT);
            }
            connection.setAutoCommit(false);
            int isolation = connection.getTransactionIsolation();
            execute(connection, PostgresLink.READ_COMMITTED);
            int version = version(connection, options.schema(), texts);
            if (version < VERSION && options.create()) {
                version = create(connection, options.schema(), texts);
            }
            connection.commit();
            connection.setAutoCommit(true);
            check(version, options.schema());
            return isolation;
        } catch (SQLException e) {
            throw PostgresErrors.notDone("opening PostgreSQL", null, e);
        }
    }

    private static void check(int version, String schema) {
        if (version < VERSION) {
            throw new ConfigurationException("the schema '" + schema + "' "
                    + (version == MISSING ? "has no tables of Jono" : "is of version " + version)
                    + ", and jono.create=false: let a role with more rights run what 'jono schema postgres"
                    + (schema.equals(PostgresOptions.DEFAULT_SCHEMA) ? "" : " --schema=" + schema) + "' prints");
        }
        if (version > VERSION) {
            throw new ConfigurationException("the schema '" + schema + "' is of version " + version
                    + ", and this Jono knows versions up to " + VERSION + ": use the newer Jono in every process");
        }
    }

    /** The version of the tables; {@link #MISSING} without tables. */
    private static int version(Connection connection, String schema, SqlTexts texts) throws SQLException {
        if (!exists(connection, FIND_TABLES, schema)) {
            return MISSING;
        }
        try (PreparedStatement select = connection.prepareStatement(texts.of(READ_VERSION));
                ResultSet row = select.executeQuery()) {
            return row.next() ? row.getInt(1) : MISSING;
        }
    }

    /** Creates or upgrades the tables. Of several processes that do so at one time, one does it. */
    private static int create(Connection connection, String schema, SqlTexts texts) throws SQLException {
        execute(connection, "SELECT pg_advisory_xact_lock(" + CREATION_LOCK + ")");
        int version = version(connection, schema, texts);
        // A role without the right to create schemas can use one that is there.
        if (version == MISSING && !exists(connection, FIND_SCHEMA, schema)) {
            execute(connection, "CREATE SCHEMA \"" + schema + '"');
        }
        for (; version < VERSION; version++) {
            try {
                execute(connection, texts.replaced(statements(version + 1)));
            } catch (SQLException failure) {
                if (PostgresErrors.exists(failure)) {
                    throw new ConfigurationException(
                            "the schema '" + schema + "' holds something that is not of Jono: "
                                    + PostgresErrors.text(failure) + "; choose another schema with jono.schema",
                            failure);
                }
                throw failure;
            }
        }
        return version;
    }

    private static boolean exists(Connection connection, String sql, String schema) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(sql)) {
            find.setString(1, schema);
            try (ResultSet row = find.executeQuery()) {
                return row.next();
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

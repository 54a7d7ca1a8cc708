package dev.jono.support.postgres;

import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Translates the exceptions of the driver into Jono's. Stateless. */
final class PostgresErrors {
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String INVALID_SCHEMA = "3F000";
    private static final String MISSING_RIGHTS = "42501";
    private static final String DISK_FULL = "53100";
    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final String READ_ONLY = "25006";
    private static final String NO_DATABASE = "3D000";
    private static final String STATEMENT_IS_PREPARED = "42P05";
    private static final String STATEMENT_IS_NOT_PREPARED = "26000";
    private static final String COMPLETION_UNKNOWN = "40003";

    /** The server chose this transaction to end a deadlock, or a conflict of serializable transactions. */
    private static final Set<String> ROLLED_BACK = Set.of("40P01", "40001");

    /** A table, function, or another thing of this name. */
    private static final Set<String> EXISTS = Set.of("42P07", "42723", "42710");

    private static final String CONNECTION_CLASS = "08";
    private static final String AUTHORIZATION_CLASS = "28";
    /** The server shuts down, has crashed, or an administrator ended the session. */
    private static final String SHUTDOWN_CLASS = "57P";

    private PostgresErrors() {}

    /** Whether the transaction had no effect, and may succeed if it runs again. */
    static boolean rolledBack(SQLException failure) {
        return ROLLED_BACK.contains(state(failure));
    }

    /** Whether a commit that failed so may have taken effect: the server gave no answer. */
    static boolean unanswered(SQLException failure) {
        String state = state(failure);
        return state.isEmpty() || state.equals(COMPLETION_UNKNOWN) || connectionLost(failure);
    }

    /** Whether the connection broke, or the server ended it. */
    static boolean connectionLost(SQLException failure) {
        String state = state(failure);
        return state.startsWith(CONNECTION_CLASS) || state.startsWith(SHUTDOWN_CLASS);
    }

    /** Whether a statement failed because what it creates is there already. */
    static boolean exists(SQLException failure) {
        return EXISTS.contains(state(failure));
    }

    /** Whether a statement failed because a row violates this constraint. */
    static boolean violates(SQLException failure, String constraint) {
        ServerErrorMessage server = failure instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
        return server != null && constraint.equals(server.getConstraint());
    }

    private static String state(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    /** The exception for a step that certainly had no effect. */
    static JonoException notDone(String step, @Nullable String queue, SQLException failure) {
        return new StorageException(what(step, queue) + " failed: " + text(failure), queue, null, failure);
    }

    /** The exception for a step that may have taken effect. */
    static OutcomeUnknownException unknown(String step, @Nullable String queue, SQLException failure) {
        return new OutcomeUnknownException(
                what(step, queue) + " was sent to PostgreSQL and not confirmed, so it may or may not be done: "
                        + text(failure),
                queue,
                null,
                failure);
    }

    private static String what(String step, @Nullable String queue) {
        return step + (queue == null ? "" : " on queue '" + queue + "'");
    }

    /** The reason of a failure, in one line, without values of rows. */
    static String text(SQLException failure) {
        SQLException shown = failure;
        if (failure instanceof SQLTransientConnectionException && failure.getCause() instanceof SQLException cause) {
            shown = cause; // the pool's own text says only that it waited
        }
        if (state(shown).startsWith(AUTHORIZATION_CLASS)) {
            return "PostgreSQL refuses the login (check user and password, and pg_hba.conf)";
        }
        ServerErrorMessage server = shown instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
        String text = server != null && server.getMessage() != null ? server.getMessage() : shown.getMessage();
        return String.valueOf(text).strip().replaceAll("\\s*\\R\\s*", " ") + advice(state(shown));
    }

    private static String advice(String state) {
        return switch (state) {
            case MISSING_RIGHTS -> " (docs/backends/postgres.md lists the rights that Jono needs)";
            case DISK_FULL -> " (its disk is full)";
            case TOO_MANY_CONNECTIONS -> " (raise max_connections, or lower jono.pool)";
            case READ_ONLY ->
                " (it is a standby: with several hosts, add targetServerType=primary; or the connection, its role or its"
                        + " database is read-only)";
            case STATEMENT_IS_PREPARED, STATEMENT_IS_NOT_PREPARED ->
                " (a pooler in transaction mode, such as PgBouncer, needs" + " the driver's option prepareThreshold=0)";
            case NO_DATABASE -> " (create it first)";
            case UNDEFINED_TABLE, INVALID_SCHEMA -> " (the tables were dropped while Jono used them)";
            default -> "";
        };
    }
}

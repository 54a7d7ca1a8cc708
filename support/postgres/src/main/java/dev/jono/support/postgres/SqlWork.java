package dev.jono.support.postgres;

import java.sql.SQLException;

/**
 * What is done within one transaction. It may run again, if the server rolled the transaction back.
 *
 * @param <R> its result
 */
@FunctionalInterface
public interface SqlWork<R> {
    /** Does the work. */
    R run(SqlTransaction tx) throws SQLException;
}

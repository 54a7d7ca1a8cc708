/**
 * What Jono's modules for PostgreSQL share: connections ({@link dev.jono.support.postgres.PostgresLink}), options,
 * transactions that take effect once, and the schema. Uses the SPI, the JDBC driver and HikariCP. Its calls block the
 * calling thread.
 *
 * <p>Applications use only {@link dev.jono.support.postgres.PostgresStorage}, to hand in a {@code DataSource} of their
 * own; everything else may change with any version.
 */
@NullMarked
package dev.jono.support.postgres;

import org.jspecify.annotations.NullMarked;

/**
 * The backend {@code postgres}: queues in one table of a PostgreSQL database. Uses the SPI and {@code
 * dev.jono.support.postgres}. Its calls run on threads of the factory.
 *
 * <p>{@link dev.jono.backend.postgres.PostgresQueueStore} opens a transaction for each call; the classes {@code Inserts},
 * {@code Claims}, {@code Settlements} and so on hold the statements of one kind of call.
 */
@NullMarked
package dev.jono.backend.postgres;

import org.jspecify.annotations.NullMarked;

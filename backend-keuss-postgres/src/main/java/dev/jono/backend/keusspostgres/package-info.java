/**
 * The backend {@code keuss-postgres}: queues in PostgreSQL, in the tables that keuss, a queue library for Node, uses. Each
 * queue is a table. Uses the SPI and {@code dev.jono.support.postgres}. Its calls run on threads of the factory.
 *
 * <p>{@link dev.jono.backend.keusspostgres.KeussQueueStore} opens a transaction for each call; {@code Inserts}, {@code
 * HandOuts}, {@code Settlements} and so on hold the statements of one kind of call. {@code Tables} finds and creates the
 * tables, {@code PayloadWriter} and {@code MessageRow} write and read the column of payloads.
 */
@NullMarked
package dev.jono.backend.keusspostgres;

import org.jspecify.annotations.NullMarked;

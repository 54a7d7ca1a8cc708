/**
 * Queues in one SQLite file. Many queues share a file, and many processes share it at once.
 *
 * <p>A process has one writer thread per file ({@link dev.jono.backend.sqlite.Writer}), which runs pending commands as
 * one transaction. Processes write in turn ({@link dev.jono.backend.sqlite.WriteTurn}). Reads use connections of their
 * own ({@link dev.jono.backend.sqlite.Readers}). Signals wake the other processes ({@link
 * dev.jono.backend.sqlite.SignalRing}). Users need only {@link
 * dev.jono.backend.sqlite.SqliteTx}; the engine finds the providers by name.
 */
@NullMarked
package dev.jono.backend.sqlite;

import org.jspecify.annotations.NullMarked;

/**
 * Queues in one SQLite file. Many queues share a file, and many processes share it at once.
 *
 * <p>All writes of a process go through one thread per file ({@link dev.jono.backend.sqlite.Writer}), which runs what
 * is pending as one transaction; processes take turns by {@link dev.jono.backend.sqlite.WriteTurn}. Reads run on
 * connections of their own. {@link dev.jono.backend.sqlite.SignalRing} wakes the other processes. Nothing here is of
 * use to applications, so nothing is exported: the types are found by their names.
 */
@NullMarked
package dev.jono.backend.sqlite;

import org.jspecify.annotations.NullMarked;

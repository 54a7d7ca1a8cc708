package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.Storage;

/** The file of a backend, for modules of Jono that have tables of their own in it. Thread-safe. */
public interface SqliteStorage extends Storage {
    /**
     * Opens one more use of the file. The caller closes it.
     *
     * @param clock the clock of the factory; the storage time follows it
     */
    SqliteFile use(JonoClock clock);
}

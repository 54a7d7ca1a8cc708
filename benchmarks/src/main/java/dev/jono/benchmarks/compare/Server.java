package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.util.List;

/** A running server, or a folder for a storage that needs none. */
interface Server extends AutoCloseable {
    /** Returns the URL for the drivers, or the folder for files. */
    String url();

    /**
     * Returns the URL for one contestant: with a database of its own, where a server has databases.
     *
     * @param database the name of the database; letters, digits and {@code _}
     */
    default String url(String database) throws IOException {
        return url();
    }

    /** Returns the ids of its processes. */
    List<Long> pids();

    /** Returns the version that it had at the start; works even if the server has ended since. */
    String version();

    /** Returns its settings, for the report. */
    String settings();

    /** Returns the bytes that it uses for messages now; {@link #bytesAre} says how they are counted. */
    long bytes() throws IOException;

    /** Returns what {@link #bytes} counts, as text for the report. */
    String bytesAre();

    @Override
    void close() throws IOException;
}

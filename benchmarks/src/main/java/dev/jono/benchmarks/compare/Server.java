package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.util.List;

/** A running server, or what takes its place. */
interface Server extends AutoCloseable {
    /** Where it is, for the drivers of its contestants; for a file its folder. */
    String url();

    /** Its processes. */
    List<Long> pids();

    /** What it called itself when it began: a report is written even if it has died since. */
    String version();

    /** How it was set up, for the result. */
    String settings();

    /** Bytes that it holds for messages now; what that means stands in {@link #bytesAre}. */
    long bytes() throws IOException;

    /** What {@link #bytes} counts. */
    String bytesAre();

    @Override
    void close() throws IOException;
}

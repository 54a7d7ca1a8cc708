package dev.jono.pipeline;

import java.time.Duration;
import java.util.List;

/** A running pipeline. Thread-safe. */
public interface Pipeline extends AutoCloseable {
    /** Its name. */
    String name();

    /** Its links, in the order in which they were added. */
    List<Link> links();

    /**
     * Stops all links as {@link dev.jono.Worker#stop} does.
     *
     * @return whether all processors ended by themselves
     */
    boolean stop(Duration timeout);

    /** {@link #stop} with 30 s. */
    @Override
    void close();
}

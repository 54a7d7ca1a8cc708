package dev.jono.pipeline;

import java.time.Duration;
import java.util.List;

/** A running pipeline. Thread-safe. */
public interface Pipeline extends AutoCloseable {
    /** The name. */
    String name();

    /** The links, in the order in which they were added. */
    List<Link> links();

    /**
     * Stops all links concurrently, each as {@link dev.jono.Worker#stop} does.
     *
     * @param timeout for all links together
     * @return whether all processors ended by themselves
     */
    boolean stop(Duration timeout);

    /** Stops all links; {@link #stop} with a timeout of 30 s. */
    @Override
    void close();
}

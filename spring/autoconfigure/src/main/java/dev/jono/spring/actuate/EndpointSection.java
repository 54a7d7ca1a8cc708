package dev.jono.spring.actuate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of the actuator endpoint: entries with names, and actions on them. Results are maps and records, which become JSON. */
public interface EndpointSection {
    /** The name, in the path of the endpoint. */
    String name();

    /** The entries in short. */
    Object entries();

    /**
     * One entry; null if there is none.
     *
     * @throws IllegalArgumentException if no entry can have this name
     */
    @Nullable Object entry(String name);

    /** Why there is no entry with this name, in a sentence for the caller. */
    String missing(String name);

    /** The names of the actions. */
    List<String> actions();

    /**
     * Does one of the actions.
     *
     * @return the entry after that; null if there is none
     * @throws IllegalArgumentException if no entry can have this name
     */
    @Nullable Object act(String name, String action);
}

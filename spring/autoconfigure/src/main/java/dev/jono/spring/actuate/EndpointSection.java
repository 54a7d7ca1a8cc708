package dev.jono.spring.actuate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of the actuator endpoint: entries with names, and actions on them. Results are maps and records, which become JSON. */
public interface EndpointSection {
    /** The name, in the path of the endpoint. */
    String name();

    /** The entries in short. */
    Object entries();

    /** One entry; null if there is none. */
    @Nullable Object entry(String name);

    /** The names of the actions. */
    List<String> actions();

    /**
     * Does one of the actions.
     *
     * @return whether there is such an entry
     */
    boolean act(String name, String action);
}

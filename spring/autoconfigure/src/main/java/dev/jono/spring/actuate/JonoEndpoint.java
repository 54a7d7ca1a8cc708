package dev.jono.spring.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code jono}.
 *
 * <table>
 * <caption>Operations over HTTP</caption>
 * <tr><td>{@code GET /actuator/jono}</td><td>everything in short</td></tr>
 * <tr><td>{@code GET /actuator/jono/queues}</td><td>the entries of a section: queues, listeners, jobs, schedules</td></tr>
 * <tr><td>{@code GET /actuator/jono/queues/orders}</td><td>one entry</td></tr>
 * <tr><td>{@code POST /actuator/jono/queues/orders} with {@code {"action": "pause"}}</td><td>an action</td></tr>
 * </table>
 */
@Endpoint(id = "jono")
public final class JonoEndpoint {
    private final Map<String, EndpointSection> sections = new LinkedHashMap<>();

    /** An endpoint with these sections, in their order. */
    public JonoEndpoint(List<EndpointSection> sections) {
        sections.forEach(section -> this.sections.put(section.name(), section));
    }

    /** All sections. */
    @ReadOperation
    public Map<String, Object> overview() {
        Map<String, Object> all = new LinkedHashMap<>();
        sections.forEach((name, section) -> all.put(name, section.entries()));
        return all;
    }

    /** The entries of a section; null, which is 404 over HTTP, if there is no such section. */
    @ReadOperation
    public @Nullable Object section(@Selector String section) {
        EndpointSection found = sections.get(section);
        return found == null ? null : found.entries();
    }

    /** One entry of a section; null if there is none. */
    @ReadOperation
    public @Nullable Object entry(@Selector String section, @Selector String name) {
        EndpointSection found = sections.get(section);
        return found == null ? null : found.entry(name);
    }

    /**
     * Does something with an entry.
     *
     * @param action one of those of the section, such as {@code pause}
     * @return the entry after that; null if there is none
     */
    @WriteOperation
    public @Nullable Object act(@Selector String section, @Selector String name, String action) {
        EndpointSection found = sections.get(section);
        if (found == null) {
            return null;
        }
        if (!found.actions().contains(action)) {
            throw new InvalidEndpointRequestException(
                    "'" + action + "' is no action of " + section, "Use one of " + found.actions());
        }
        return found.act(name, action) ? found.entry(name) : null;
    }
}

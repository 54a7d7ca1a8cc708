package dev.jono.spring.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

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

    /** The entries of a section; 404 if there is no such section. */
    @ReadOperation
    public Object section(@Selector String section) {
        EndpointSection found = sections.get(section);
        return found == null ? noSection(section) : found.entries();
    }

    /** One entry of a section; 404 if there is none, 400 if none can have this name. */
    @ReadOperation
    public Object entry(@Selector String section, @Selector String name) {
        EndpointSection found = sections.get(section);
        return found == null ? noSection(section) : entry(found, name, () -> found.entry(name));
    }

    /**
     * Does something with an entry.
     *
     * @param action one of those of the section, such as {@code pause}
     * @return the entry after that; 404 if there is none, 400 if none can have this name
     */
    @WriteOperation
    public Object act(@Selector String section, @Selector String name, String action) {
        EndpointSection found = sections.get(section);
        if (found == null) {
            return noSection(section);
        }
        if (!found.actions().contains(action)) {
            throw new InvalidEndpointRequestException(
                    "'" + action + "' is no action of " + section, "Use one of " + found.actions());
        }
        return entry(found, name, () -> found.act(name, action));
    }

    /** The entry that a step returns. */
    private static Object entry(EndpointSection section, String name, Supplier<@Nullable Object> step) {
        try {
            Object entry = step.get();
            return entry != null ? entry : refusal(WebEndpointResponse.STATUS_NOT_FOUND, section.missing(name));
        } catch (IllegalArgumentException wrongName) {
            return refusal(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(wrongName.getMessage()));
        }
    }

    private Object noSection(String name) {
        return refusal(
                WebEndpointResponse.STATUS_NOT_FOUND,
                "there is no section '" + name + "'; use one of " + sections.keySet());
    }

    /** An answer with a status over HTTP. Over JMX, the result contains the status and the text. */
    private static Object refusal(int status, String why) {
        return new WebEndpointResponse<>(Map.of("message", why), status);
    }
}

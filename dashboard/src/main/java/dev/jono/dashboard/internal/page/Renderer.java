package dev.jono.dashboard.internal.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the HTML of a page. */
@FunctionalInterface
public interface Renderer {
    /**
     * Returns the HTML.
     *
     * @param template the name of a template in {@code src/main/jte}
     * @param values its parameters
     */
    String render(String template, Map<String, ? extends @Nullable Object> values);
}

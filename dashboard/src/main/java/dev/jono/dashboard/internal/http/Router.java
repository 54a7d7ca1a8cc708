package dev.jono.dashboard.internal.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the step for a method and a path. Filled once, then immutable and thread-safe. */
public final class Router {
    /** Answers a request. */
    @FunctionalInterface
    public interface Step {
        /**
         * Answers a request.
         *
         * @param request the request
         * @param names the texts in the place of the names in the pattern, such as {@code {queue}}
         */
        Answer answer(Request request, Map<String, String> names);
    }

    private record Route(String method, List<String> pattern, Step step) {}

    private final List<Route> routes = new ArrayList<>();

    /** Adds a step for a method and a pattern such as {@code queues/{queue}/pause}. Earlier ones win. */
    public void add(String method, String pattern, Step step) {
        routes.add(new Route(method, pattern.isEmpty() ? List.of() : List.of(pattern.split("/")), step));
    }

    /** Runs the step for a request. */
    public Answer answer(Request request) {
        Set<String> methods = new TreeSet<>();
        for (Route route : routes) {
            Map<String, String> names = match(route.pattern, request.segments());
            if (names != null) {
                if (route.method.equals(request.method())) {
                    return route.step.answer(request, names);
                }
                methods.add(route.method);
            }
        }
        if (methods.isEmpty()) {
            throw ProblemException.missing("there is no such page");
        }
        throw new ProblemException(405, "allowed here: " + String.join(", ", methods));
    }

    private static @Nullable Map<String, String> match(List<String> pattern, List<String> segments) {
        if (pattern.size() != segments.size()) {
            return null;
        }
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < pattern.size(); i++) {
            String expected = pattern.get(i);
            if (expected.startsWith("{")) {
                names.put(expected.substring(1, expected.length() - 1), segments.get(i));
            } else if (!expected.equals(segments.get(i))) {
                return null;
            }
        }
        return names;
    }
}

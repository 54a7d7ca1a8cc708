package dev.jono.dashboard.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.JonoException;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Resources;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.live.Streams;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Source;
import dev.jono.dashboard.internal.source.Viewer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The REST API: paths below {@code api/v1}, and the health of the dashboard. Thread-safe. */
public final class RestApi {
    static final String V1 = "api/v1/";
    static final int MAX_LIMIT = 500;
    static final int LIMIT = 50;

    private final Services services;
    private final Streams streams;

    public RestApi(Services services, Streams streams) {
        this.services = services;
        this.streams = streams;
    }

    /** Adds all routes. */
    public void addTo(Router router) {
        new QueueResources(services).addTo(router);
        new JobResources(services).addTo(router);
        router.add("GET", V1 + "overview", (request, names) -> {
            services.viewer(request).require(Operation.VIEW, "");
            return Answer.json(services.source(request).overview());
        });
        router.add(
                "GET",
                V1 + "storages",
                (request, names) -> Answer.json(services.all().stream()
                        .map(source -> Map.of("name", source.name(), "backend", source.backend()))
                        .toList()));
        router.add("GET", V1 + "events", (request, names) -> streams.stream(topics(request)));
        router.add("GET", V1 + "openapi.json", (request, names) -> Resources.answer("openapi.json"));
        router.add("GET", "health/live", (request, names) -> Answer.json(Map.of("status", "UP")));
        router.add("GET", "health/ready", (request, names) -> ready());
    }

    private Map<String, Supplier<Object>> topics(Request request) {
        Source source = services.source(request);
        Viewer viewer = services.viewer(request);
        Map<String, Supplier<Object>> topics = new LinkedHashMap<>();
        request.query().all("queue").forEach(queue -> {
            viewer.require(Operation.VIEW, queue);
            topics.put("queue", () -> services.queues().queue(source, queue));
        });
        request.query().all("type").forEach(type -> {
            viewer.require(Operation.VIEW, type);
            topics.put("type", () -> source.counts(type));
        });
        request.query().all("job").forEach(id -> {
            services.jobs().live(source, viewer, id);
            topics.put("job", () -> services.jobs().live(source, viewer, id));
        });
        if (topics.isEmpty()) {
            viewer.require(Operation.VIEW, "");
            topics.put("overview", source::overview);
        }
        return topics;
    }

    /** Whether all storages answer. The numbers of messages do not matter. */
    private Answer ready() {
        Map<String, String> storages = new LinkedHashMap<>();
        for (Source source : services.all()) {
            storages.put(source.name(), answers(source) ? "UP" : "DOWN");
        }
        boolean up = !storages.containsValue("DOWN");
        return Answer.json(up ? 200 : 503, Map.of("status", up ? "UP" : "DOWN", "storages", storages));
    }

    private static boolean answers(Source source) {
        try {
            source.probe();
            return true;
        } catch (JonoException e) {
            return false;
        }
    }

    /** A problem as JSON (RFC 9457). */
    public Answer problem(ProblemException problem, @Nullable String id) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", "about:blank");
        fields.put("title", ProblemException.title(problem.status()));
        fields.put("status", problem.status());
        fields.put("detail", problem.detail());
        if (id != null) {
            fields.put("error", id);
        }
        return Answer.json(problem.status(), fields).with("Content-Type", "application/problem+json");
    }

    static Answer list(String name, List<?> items, @Nullable String next) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(name, items);
        if (next != null) {
            fields.put("next", next);
        }
        return Answer.json(fields);
    }

    /** The body: true or false. */
    static boolean flag(Request request) {
        JsonNode body = request.json();
        if (!body.isBoolean()) {
            throw ProblemException.bad("the body must be true or false");
        }
        return body.asBoolean();
    }

    static int limit(Request request) {
        return request.query().number("limit", LIMIT, 1, MAX_LIMIT);
    }
}

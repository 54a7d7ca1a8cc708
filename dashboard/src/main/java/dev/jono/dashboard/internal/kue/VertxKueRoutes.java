package dev.jono.dashboard.internal.kue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.kue.KueJobs.Caller;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.jobs.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The JSON routes of Vert.x Kue, whose paths, statuses and shapes differ from those of Kue. Thread-safe. */
final class VertxKueRoutes {
    static final String ROOT = "vertx-kue/";

    private final KueJobs jobs;
    private final Function<Request, Caller> callers;

    VertxKueRoutes(KueJobs jobs, Function<Request, Caller> callers) {
        this.jobs = jobs;
        this.callers = callers;
    }

    void addTo(Router router) {
        router.add("GET", ROOT + "stats", (request, names) -> stats(request));
        router.add("GET", ROOT + "job/search/{q}", (request, names) -> search(request, names));
        router.add("GET", ROOT + "job/types", (request, names) -> Answer.json(jobs.types(caller(request))));
        router.add("GET", ROOT + "jobs/{type}/{state}/stats", this::count);
        for (String range : new String[] {"", "{state}/", "{type}/{state}/"}) {
            router.add("GET", ROOT + "jobs/" + range + "{from}/to/{to}", this::list);
            router.add("GET", ROOT + "jobs/" + range + "{from}/to/{to}/{order}", this::list);
        }
        router.add("PUT", ROOT + "job", (request, names) -> create(request));
        router.add("GET", ROOT + "job/{id}", this::job);
        router.add("DELETE", ROOT + "job/{id}", this::remove);
        router.add("GET", ROOT + "job/{id}/log", (request, names) -> Answer.json(jobs.log(caller(request), id(names))));
        router.add("PUT", ROOT + "job/{id}/state/{state}", this::state);
        router.add("POST", ROOT + "inactive/{id}", this::restart);
    }

    private static String id(Map<String, String> names) {
        String id = names.getOrDefault("id", "");
        if (KueRange.leadingNumber(id).isEmpty()) {
            throw ProblemException.bad("For input string: \"" + id + "\"");
        }
        return id;
    }

    private Caller caller(Request request) {
        return callers.apply(request);
    }

    private Answer stats(Request request) {
        Map<String, @Nullable Object> stats = KueRoutes.counts(jobs.counts(caller(request)));
        stats.put("workTime", 0); // Jono does not add up times
        return Answer.json(stats);
    }

    private Answer search(Request request, Map<String, String> names) {
        return Answer.json(jobs.withTag(caller(request), names.getOrDefault("q", "")));
    }

    private static KueState state(Map<String, String> names) {
        String name = names.getOrDefault("state", "");
        return KueState.named(name).orElseThrow(() -> ProblemException.bad("there is no state " + name));
    }

    private Answer count(Request request, Map<String, String> names) {
        Map<JobState, Long> counts = jobs.counts(caller(request), names.getOrDefault("type", ""));
        return Answer.json(Map.of("count", state(names).count(counts)));
    }

    private Answer list(Request request, Map<String, String> names) {
        KueRange range = KueRange.of(
                names.get("type"),
                names.get("state"),
                KueRange.leadingNumber(names.getOrDefault("from", "")),
                KueRange.leadingNumber(names.getOrDefault("to", "")),
                names.getOrDefault("order", ""));
        return Answer.json(jobs.list(caller(request), range).stream()
                .map(VertxKueRoutes::shape)
                .toList());
    }

    private Answer create(Request request) {
        JsonNode job = request.json();
        ObjectNode fields = KueInput.fields(job.path("type").asText(), job.path("data"), job.path("delay"));
        if (job.hasNonNull("priority")) {
            fields.put("priority", KuePriority.of(job.path("priority")).name());
        }
        long id = jobs.create(caller(request), Input.json(fields));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("message", "job created");
        answer.put("id", id);
        return Answer.json(201, answer);
    }

    private KueJob find(Caller caller, Map<String, String> names) {
        String id = id(names);
        return jobs.find(caller, id).orElseThrow(() -> ProblemException.missing("there is no job " + id));
    }

    private Answer job(Request request, Map<String, String> names) {
        return Answer.json(shape(find(caller(request), names)));
    }

    /** Vert.x Kue answers the same if there is no such job. */
    private Answer remove(Request request, Map<String, String> names) {
        Caller caller = caller(request);
        jobs.find(caller, id(names)).ifPresent(job -> jobs.remove(caller, job));
        return Answer.nothing();
    }

    private Answer state(Request request, Map<String, String> names) {
        KueState wanted = state(names);
        Caller caller = caller(request);
        Optional<KueJob> job = jobs.find(caller, id(names));
        if (job.isEmpty()) {
            return Answer.json(404, Map.of("message", "job_not_found"));
        }
        jobs.change(caller, job.get(), wanted);
        return Answer.json(Map.of("message", "job_state_updated"));
    }

    private Answer restart(Request request, Map<String, String> names) {
        Caller caller = caller(request);
        KueJob job = find(caller, names);
        jobs.restart(caller, job);
        return Answer.json(Map.of("message", "job " + job.number() + " restart"));
    }

    /** A job as Vert.x Kue shows it: numbers, which are 0 if there is none, and names in upper case. */
    private static Map<String, Object> shape(KueJob job) {
        Map<String, Object> shape = new LinkedHashMap<>();
        shape.put("attempts", job.attemptsMade());
        shape.put("created_at", job.createdAt().toEpochMilli());
        shape.put("data", job.data());
        shape.put("delay", job.delay().map(Duration::toMillis).orElse(0L));
        shape.put("duration", job.duration().map(Duration::toMillis).orElse(0L));
        shape.put("failed_at", job.failedAt().map(Instant::toEpochMilli).orElse(0L));
        shape.put("id", job.number());
        shape.put("max_attempts", job.attemptsMax());
        shape.put("priority", job.view().priority().name());
        shape.put("progress", job.percent().orElse(0));
        shape.put("promote_at", job.promoteAt().toEpochMilli());
        shape.put("removeOnComplete", false);
        job.result().ifPresent(result -> shape.put("result", result));
        shape.put("started_at", job.startedAt().map(Instant::toEpochMilli).orElse(0L));
        shape.put("state", job.state().name());
        shape.put("ttl", 0);
        shape.put("type", job.view().type());
        shape.put("updated_at", job.updatedAt().toEpochMilli());
        String number = String.valueOf(job.number());
        shape.put("zid", (number.length() < 10 ? "0" : "") + number.length() + "|" + number);
        return shape;
    }

    /** A refusal: without a body if something is missing, as Vert.x Kue does. */
    Answer problem(ProblemException problem) {
        int status = problem.status() == 409 ? 400 : problem.status();
        return status == 404
                ? Answer.of(404, "application/json", new byte[0])
                : Answer.json(status, Map.of("error", problem.detail()));
    }
}

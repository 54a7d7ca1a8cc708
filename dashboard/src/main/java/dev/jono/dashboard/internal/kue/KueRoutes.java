package dev.jono.dashboard.internal.kue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.Guard;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.kue.KueJobs.Caller;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.jobs.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The JSON routes of Kue 0.11. Like Kue, it answers most errors with the status 200 and a field {@code error}. Requests that are not
 * allowed, too large or not understood have a status of their own. Thread-safe.
 */
final class KueRoutes {
    static final String ROOT = "kue/";
    private static final int MAX_CREATED = 1_000;
    private static final String NO_TYPE = "Must provide job type";

    private final KueJobs jobs;
    private final Function<Request, Caller> callers;
    private final boolean unsafeGet;

    KueRoutes(KueJobs jobs, Function<Request, Caller> callers, boolean unsafeGet) {
        this.jobs = jobs;
        this.callers = callers;
        this.unsafeGet = unsafeGet;
    }

    void addTo(Router router) {
        router.add("GET", ROOT + "stats", (request, names) -> stats(request));
        router.add("GET", ROOT + "job/search", (request, names) -> search(request));
        router.add("GET", ROOT + "job/types", (request, names) -> Answer.json(jobs.types(caller(request))));
        router.add("GET", ROOT + "jobs/{a}", (request, names) -> list(request, names));
        router.add("GET", ROOT + "jobs/{a}/{b}", (request, names) -> list(request, names));
        router.add("GET", ROOT + "jobs/{a}/{b}/{c}", (request, names) -> list(request, names));
        router.add("GET", ROOT + "jobs/{a}/{b}/{c}/{d}", (request, names) -> list(request, names));
        router.add("POST", ROOT + "job", (request, names) -> create(request));
        router.add("GET", ROOT + "job/{id}", (request, names) -> job(request, id(names)));
        router.add("DELETE", ROOT + "job/{id}", (request, names) -> remove(request, id(names)));
        router.add("GET", ROOT + "job/{id}/log", (request, names) -> Answer.json(jobs.log(caller(request), id(names))));
        router.add("PUT", ROOT + "job/{id}/state/{state}", (request, names) -> state(request, names));
        router.add("PUT", ROOT + "job/{id}/priority/{priority}", (request, names) -> priority(request, names));
        router.add("GET", ROOT + "inactive/{id}", (request, names) -> restartByGet(request, id(names)));
        router.add("POST", ROOT + "inactive/{id}", (request, names) -> restart(request, id(names)));
    }

    private static String id(Map<String, String> names) {
        return names.getOrDefault("id", "");
    }

    private Caller caller(Request request) {
        return callers.apply(request);
    }

    private Answer stats(Request request) {
        Map<JobState, Long> counts = jobs.counts(caller(request));
        Map<String, @Nullable Object> stats = counts(counts);
        stats.put("workTime", null); // as Kue says it before the first job: Jono does not add up times
        return Answer.json(stats);
    }

    /** The number of jobs by Kue's states. */
    static Map<String, @Nullable Object> counts(Map<JobState, Long> counts) {
        Map<String, @Nullable Object> stats = new LinkedHashMap<>();
        for (KueState state : KueState.values()) {
            stats.put(state.label() + "Count", state.count(counts));
        }
        return stats;
    }

    private Answer search(Request request) {
        String words = request.query().get("q").orElse("");
        return Answer.json(jobs.withTag(caller(request), words).stream()
                .map(String::valueOf)
                .toList());
    }

    /** A list, or the number of jobs of a type and a state. */
    private Answer list(Request request, Map<String, String> names) {
        List<String> path = List.copyOf(names.values());
        if (path.size() == 3 && path.get(2).equals("stats")) {
            long count = KueState.named(path.get(1))
                    .map(state -> state.count(jobs.counts(caller(request), path.get(0))))
                    .orElse(0L);
            return Answer.json(Map.of("count", count));
        }
        return answered(() -> {
            KueRange range = KueRange.parse(path).orElseThrow(() -> ProblemException.missing("there is no such page"));
            return Answer.json(jobs.list(caller(request), range).stream()
                    .map(job -> shape(job, job.number()))
                    .toList());
        });
    }

    /** Kue answers 200 where the state of a job does not allow something. */
    private static Answer answered(Supplier<Answer> step) {
        try {
            return step.get();
        } catch (ProblemException problem) {
            if (problem.status() != 409) {
                throw problem;
            }
            return Answer.json(Map.of("error", problem.detail()));
        }
    }

    private Answer job(Request request, String id) {
        // Kue repeats the id as it stands in the path.
        return withJob(request, id, (caller, job) -> {}, job -> shape(job, id));
    }

    private Answer remove(Request request, String id) {
        return withJob(request, id, jobs::remove, job -> message("job " + id + " removed"));
    }

    private Answer restartByGet(Request request, String id) {
        if (!unsafeGet || request.isHead()) {
            throw new ProblemException(405, "a GET changes nothing here: send POST, or allow it with --kue-unsafe-get");
        }
        Guard.requireOwnSite(request);
        return restart(request, id);
    }

    private Answer restart(Request request, String id) {
        return withJob(request, id, jobs::restart, job -> message("job " + id + " inactive"));
    }

    private Answer state(Request request, Map<String, String> names) {
        String name = names.getOrDefault("state", "");
        return withJob(
                request,
                id(names),
                (caller, job) -> jobs.change(
                        caller,
                        job,
                        KueState.named(name).orElseThrow(() -> ProblemException.conflict("invalid state"))),
                job -> message("updated state"));
    }

    private Answer priority(Request request, Map<String, String> names) {
        return answered(() -> {
            var priority = KuePriority.ofPath(names.getOrDefault("priority", ""));
            return withJob(
                    request,
                    id(names),
                    (caller, job) -> jobs.prioritize(caller, job, priority),
                    job -> message("updated priority"));
        });
    }

    private static Map<String, Object> message(String text) {
        return Map.of("message", text);
    }

    private Answer withJob(
            Request request, String id, BiConsumer<Caller, KueJob> step, Function<KueJob, Map<String, Object>> answer) {
        return answered(() -> {
            Caller caller = caller(request);
            KueJob job = jobs.find(caller, id)
                    .orElseThrow(() -> ProblemException.conflict("job \"" + id + "\" doesnt exist"));
            step.accept(caller, job);
            return Answer.json(answer.apply(job));
        });
    }

    private Answer create(Request request) {
        if (request.isEmpty()) {
            return Answer.nothing();
        }
        JsonNode body = request.json();
        if (!body.isContainerNode()) {
            throw ProblemException.bad("a JSON object or array is expected");
        }
        if (body.isEmpty()) {
            return Answer.nothing();
        }
        Caller caller = caller(request);
        if (!body.isArray()) {
            return Answer.json(create(caller, body));
        }
        if (body.size() > MAX_CREATED) {
            throw ProblemException.bad("more than " + MAX_CREATED + " jobs in one request");
        }
        List<Map<String, Object>> answers = new ArrayList<>();
        int status = 200;
        for (JsonNode each : body) {
            try {
                answers.add(create(caller, each));
            } catch (ProblemException problem) {
                status = status == 200 ? problem.status() : status;
                answers.add(Map.of("error", problem.detail()));
            }
        }
        return Answer.json(status, answers);
    }

    private Map<String, Object> create(Caller caller, JsonNode job) {
        String type = job.path("type").isValueNode() ? job.path("type").asText() : "";
        if (type.isEmpty() || job.path("type").isNull()) {
            throw ProblemException.bad(NO_TYPE);
        }
        JsonNode options = job.path("options");
        ObjectNode fields = KueInput.fields(type, job.path("data"), options.path("delay"));
        if (options.path("priority").isValueNode() && !options.path("priority").isNull()) {
            fields.put("priority", KuePriority.of(options.path("priority")).name());
        }
        KueInput.addTags(fields, job.path("data"), options.path("searchKeys"));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("message", "job created");
        answer.put("id", jobs.create(caller, Input.json(fields)));
        return answer;
    }

    /** A job as Kue shows it: most values are texts, as Redis keeps them. */
    private static Map<String, Object> shape(KueJob job, Object id) {
        Map<String, Object> shape = new LinkedHashMap<>();
        shape.put("id", id);
        shape.put("type", job.view().type());
        shape.put("data", job.data());
        job.result().ifPresent(result -> shape.put("result", result));
        shape.put("priority", job.view().priority().number());
        shape.put("progress", job.percent().<Object>map(String::valueOf).orElse(0));
        job.progressData().ifPresent(data -> shape.put("progress_data", data));
        shape.put("state", job.state().label());
        job.error().ifPresent(error -> shape.put("error", error));
        shape.put("created_at", millis(job.createdAt()));
        shape.put("promote_at", millis(job.promoteAt()));
        shape.put("updated_at", millis(job.updatedAt()));
        job.failedAt().ifPresent(time -> shape.put("failed_at", millis(time)));
        job.startedAt().ifPresent(time -> shape.put("started_at", millis(time)));
        job.duration().ifPresent(time -> shape.put("duration", String.valueOf(time.toMillis())));
        job.delay().ifPresent(time -> shape.put("delay", String.valueOf(time.toMillis())));
        job.worker().ifPresent(worker -> shape.put("workerId", worker));
        shape.put(
                "attempts",
                Map.of(
                        "made", job.attemptsMade(),
                        "remaining", job.attemptsMax() - job.attemptsMade(),
                        "max", job.attemptsMax()));
        return shape;
    }

    private static String millis(Instant time) {
        return String.valueOf(time.toEpochMilli());
    }

    /** A refusal. */
    Answer problem(ProblemException problem) {
        return Answer.json(problem.status(), Map.of("error", problem.detail()));
    }
}

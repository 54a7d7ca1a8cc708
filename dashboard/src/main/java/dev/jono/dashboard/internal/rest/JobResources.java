package dev.jono.dashboard.internal.rest;

import static dev.jono.dashboard.internal.rest.RestApi.V1;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.dashboard.internal.source.JobChanges;
import dev.jono.dashboard.internal.source.JobChanges.Action;
import dev.jono.dashboard.internal.source.JobDetail;
import dev.jono.dashboard.internal.source.JobViews;
import dev.jono.dashboard.internal.source.Page;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Steps;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Jobs, types, schedules, batches and runners by REST. Thread-safe. */
final class JobResources extends Steps {
    private static final int MAX_ENQUEUED = 1_000;

    JobResources(Services services) {
        super(services);
    }

    void addTo(Router router) {
        router.add("GET", V1 + "types", (request, names) -> types(request));
        router.add(
                "PUT",
                V1 + "types/{type}/paused",
                (request, names) -> pauseType(request, names.getOrDefault("type", "")));
        router.add("GET", V1 + "jobs", (request, names) -> jobs(request));
        router.add("POST", V1 + "jobs", (request, names) -> enqueue(request));
        router.add("POST", V1 + "jobs/actions/{action}", (request, names) -> changeAll(request, action(names)));
        router.add("GET", V1 + "jobs/{id}", (request, names) -> job(request, id(names)));
        router.add("GET", V1 + "jobs/{id}/log", (request, names) -> log(request, id(names)));
        router.add("PUT", V1 + "jobs/{id}/priority", (request, names) -> priority(request, id(names)));
        router.add(
                "DELETE",
                V1 + "jobs/{id}",
                (request, names) -> change(request, id(names), Action.REMOVE, Input.none()));
        for (Action action : List.of(Action.RETRY, Action.CANCEL, Action.RUN, Action.RERUN)) {
            router.add(
                    "POST",
                    V1 + "jobs/{id}/" + action.name().toLowerCase(Locale.ROOT),
                    (request, names) -> change(request, id(names), action, Input.none()));
        }
        router.add(
                "GET",
                V1 + "schedules",
                (request, names) -> Answer.json(services.jobs().schedules(source(request), viewer(request))));
        router.add("GET", V1 + "schedules/{name}", (request, names) -> Answer.json(schedule(request, names)));
        router.add("PUT", V1 + "schedules/{name}", this::storeSchedule);
        router.add("DELETE", V1 + "schedules/{name}", this::removeSchedule);
        router.add("POST", V1 + "schedules/{name}/run", this::runSchedule);
        router.add("PUT", V1 + "schedules/{name}/paused", this::pauseSchedule);
        router.add("GET", V1 + "batches", (request, names) -> batches(request));
        router.add("GET", V1 + "runners", (request, names) -> {
            viewer(request).require(Operation.VIEW, "");
            return Answer.json(services.jobs().runners(source(request), viewer(request)));
        });
    }

    private static Action action(Map<String, String> names) {
        return Action.of(names.getOrDefault("action", ""));
    }

    private Answer types(Request request) {
        return Answer.json(services.jobs().types(source(request), viewer(request)));
    }

    private Answer pauseType(Request request, String type) {
        services.jobChanges().pauseType(source(request), viewer(request), type, RestApi.flag(request));
        return Answer.nothing();
    }

    private Answer jobs(Request request) {
        Page<JobDetail> page = services.jobs()
                .list(
                        source(request),
                        viewer(request),
                        selection(name -> request.query().get(name)),
                        request.query().get("after").orElse(null),
                        RestApi.limit(request));
        return RestApi.list("jobs", page.items(), page.next());
    }

    private static JobViews.Selection selection(java.util.function.Function<String, Optional<String>> field) {
        return new JobViews.Selection(
                field.apply("type").orElse(null),
                field.apply("state").orElse(null),
                field.apply("tag").orElse(null),
                field.apply("key").orElse(null),
                field.apply("batch").orElse(null));
    }

    private Answer enqueue(Request request) {
        JsonNode body = request.json();
        if (body.isArray()) {
            if (body.size() > MAX_ENQUEUED) {
                throw ProblemException.bad("more than " + MAX_ENQUEUED + " jobs in one request");
            }
            List<Map<String, Object>> enqueued = new ArrayList<>();
            body.forEach(each -> enqueued.add(enqueue(request, Input.json(each))));
            return Answer.json(201, enqueued);
        }
        Map<String, Object> enqueued = enqueue(request, Input.json(body));
        return Answer.json(Boolean.TRUE.equals(enqueued.get("duplicate")) ? 200 : 201, enqueued);
    }

    private Map<String, Object> enqueue(Request request, Input input) {
        input.only("type", "payload", "kind", "priority", "delay", "dueAt", "key", "unique", "tags", "after");
        JobHandle<?> job = services.jobChanges().enqueue(source(request), viewer(request), input);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", job.id());
        answer.put("duplicate", job.duplicate());
        return answer;
    }

    private Answer changeAll(Request request, Action action) {
        Input input =
                Input.json(request).only("ids", "type", "state", "tag", "key", "batch", "max", "reason", "priority");
        List<String> ids = input.texts("ids");
        int changed = ids.isEmpty()
                ? services.jobChanges()
                        .changeAll(
                                source(request),
                                viewer(request),
                                selection(input::text),
                                input.number("max", 1, JobChanges.MAX_JOBS)
                                        .orElseThrow(() ->
                                                ProblemException.bad("'max' is missing: the most jobs to change")),
                                action,
                                input)
                : services.jobChanges().changeAll(source(request), viewer(request), ids, action, input);
        return Answer.json(Map.of("changed", changed));
    }

    private Answer job(Request request, String id) {
        return Answer.json(services.jobs().job(source(request), viewer(request), id));
    }

    private Answer log(Request request, String id) {
        return Answer.json(services.jobs().log(source(request), viewer(request), id));
    }

    private Answer priority(Request request, String id) {
        return change(request, id, Action.PRIORITY, Input.json(request).only("priority"));
    }

    private Answer change(Request request, String id, Action action, Input input) {
        services.jobChanges().change(source(request), viewer(request), id, action, input);
        return Answer.nothing();
    }

    private Answer storeSchedule(Request request, Map<String, String> names) {
        Input input = Input.json(request).only("type", "cron", "zone", "payload", "kind");
        services.jobChanges().schedule(source(request), viewer(request), names.getOrDefault("name", ""), input);
        return Answer.json(schedule(request, names));
    }

    private Answer removeSchedule(Request request, Map<String, String> names) {
        services.jobChanges().removeSchedule(source(request), viewer(request), schedule(request, names));
        return Answer.nothing();
    }

    private Answer runSchedule(Request request, Map<String, String> names) {
        return Answer.json(Map.of(
                "id", services.jobChanges().runSchedule(source(request), viewer(request), schedule(request, names))));
    }

    private Answer pauseSchedule(Request request, Map<String, String> names) {
        services.jobChanges()
                .pauseSchedule(source(request), viewer(request), schedule(request, names), RestApi.flag(request));
        return Answer.nothing();
    }

    private Answer batches(Request request) {
        viewer(request).require(Operation.VIEW, "");
        Page<BatchView> page = services.jobs()
                .batches(source(request), request.query().get("after").orElse(""), RestApi.limit(request));
        return RestApi.list("batches", page.items(), page.next());
    }
}

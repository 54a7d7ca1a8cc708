package dev.jono.dashboard.internal.page;

import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.source.Input;
import dev.jono.dashboard.internal.source.JobChanges;
import dev.jono.dashboard.internal.source.JobChanges.Action;
import dev.jono.dashboard.internal.source.JobDetail;
import dev.jono.dashboard.internal.source.JobViews.ScheduleDetail;
import dev.jono.dashboard.internal.source.JobViews.Selection;
import dev.jono.dashboard.internal.source.Page;
import dev.jono.dashboard.internal.source.Services;
import dev.jono.dashboard.internal.source.Source;
import dev.jono.dashboard.internal.source.Steps;
import dev.jono.dashboard.internal.source.TypeCounts;
import dev.jono.jobs.JobHandle;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The pages about jobs, schedules, batches and runners, and their forms. Thread-safe. */
final class JobPages extends Steps {
    private static final int JOBS = 50;
    private static final int BATCHES = 50;

    private final Pages pages;

    JobPages(Services services, Pages pages) {
        super(services);
        this.pages = pages;
    }

    void addTo(Router router) {
        router.add("GET", "jobs", (request, names) -> jobs(request));
        router.add("POST", "jobs/enqueue", (request, names) -> enqueue(request));
        router.add("POST", "jobs/change", (request, names) -> changeAll(request));
        router.add("GET", "jobs/{id}", (request, names) -> job(request, id(names)));
        for (Action action : Action.values()) {
            String step = action.name().toLowerCase(Locale.ROOT);
            router.add("POST", "jobs/{id}/" + step, (request, names) -> change(request, id(names), action));
        }
        router.add("POST", "types/{type}/pause", (request, names) -> pauseType(request, names, true));
        router.add("POST", "types/{type}/resume", (request, names) -> pauseType(request, names, false));
        router.add("GET", "schedules", (request, names) -> schedules(request));
        router.add("POST", "schedules/{name}/run", (request, names) -> runSchedule(request, names));
        router.add("POST", "schedules/{name}/pause", (request, names) -> pauseSchedule(request, names, true));
        router.add("POST", "schedules/{name}/resume", (request, names) -> pauseSchedule(request, names, false));
        router.add("POST", "schedules/{name}/remove", (request, names) -> removeSchedule(request, names));
        router.add("GET", "batches", (request, names) -> batches(request));
        router.add("GET", "runners", (request, names) -> runners(request));
    }

    private Answer jobs(Request request) {
        Optional<String> id = request.query().get("id");
        if (id.isPresent()) {
            return Answer.redirect(
                    303, pages.shell(request, "jobs").job(id.get().strip()));
        }
        Optional<String> type = request.query().get("type");
        return type.isPresent() ? ofType(request, type.get()) : types(request);
    }

    private Answer types(Request request) {
        Source source = source(request);
        viewer(request).require(Operation.VIEW, "");
        source.jobs();
        return pages.render(
                "types",
                Map.of(
                        "shell", pages.shell(request, "jobs"),
                        "types", services.jobs().types(source, viewer(request))));
    }

    private Answer ofType(Request request, String type) {
        viewer(request).require(Operation.VIEW, type);
        Source source = source(request);
        Selection selection = selection(request, type);
        Page<JobDetail> page = services.jobs()
                .list(
                        source,
                        viewer(request),
                        selection,
                        request.query().get("after").orElse(null),
                        JOBS);
        TypeCounts counts = source.counts(type);
        return pages.render(
                "jobs",
                Map.of(
                        "shell", pages.shell(request, "jobs"),
                        "counts", counts,
                        "selection", selection,
                        "page", page,
                        "matching", matching(counts, selection)));
    }

    private static Selection selection(Request request, String type) {
        return new Selection(
                type,
                request.query().get("state").orElse(null),
                request.query().get("tag").orElse(null),
                request.query().get("key").orElse(null),
                request.query().get("batch").orElse(null));
    }

    /** How many jobs a selection has, at most: tags and keys are not counted. */
    private static long matching(TypeCounts counts, Selection selection) {
        String state = selection.state();
        return state == null
                ? counts.counts().values().stream().mapToLong(Long::longValue).sum()
                : counts.count(dev.jono.dashboard.internal.source.JobViews.state(state));
    }

    private Answer enqueue(Request request) {
        JobHandle<?> job = services.jobChanges().enqueue(source(request), viewer(request), Input.form(request));
        return Pages.done(pages.shell(request, "jobs").job(job.id()), "enqueued", -1);
    }

    private Answer changeAll(Request request) {
        String type = request.query().required("type");
        Selection selection = selection(request, type);
        Input input = Input.form(request);
        Action action = Action.of(input.required("action"));
        int changed;
        if (input.required("which").equals("all")) {
            int max = input.number("max", 1, JobChanges.MAX_JOBS)
                    .orElseThrow(() -> ProblemException.bad("'max' is missing"));
            changed = services.jobChanges().changeAll(source(request), viewer(request), selection, max, action, input);
        } else {
            changed = services.jobChanges()
                    .changeAll(source(request), viewer(request), input.texts("ids"), action, input);
        }
        String back = pages.shell(request, "jobs")
                .link(
                        "jobs",
                        "type",
                        type,
                        "state",
                        Optional.ofNullable(selection.state()).orElse(""));
        return Pages.done(back, "changed", changed);
    }

    private Answer job(Request request, String id) {
        Source source = source(request);
        JobDetail job = services.jobs().job(source, viewer(request), id);
        return pages.render(
                "job",
                Map.of(
                        "shell", pages.shell(request, "jobs"),
                        "job", job,
                        "log", services.jobs().log(source, job.type(), id)));
    }

    private Answer change(Request request, String id, Action action) {
        String type = services.jobChanges().change(source(request), viewer(request), id, action, Input.form(request));
        Shell shell = pages.shell(request, "jobs");
        return Pages.done(action == Action.REMOVE ? shell.link("jobs", "type", type) : shell.job(id), "job", -1);
    }

    private Answer pauseType(Request request, Map<String, String> names, boolean paused) {
        String type = names.getOrDefault("type", "");
        services.jobChanges().pauseType(source(request), viewer(request), type, paused);
        return Pages.done(pages.shell(request, "jobs").link("jobs", "type", type), paused ? "paused" : "resumed", -1);
    }

    private Answer schedules(Request request) {
        List<ScheduleDetail> schedules = services.jobs().schedules(source(request), viewer(request));
        return pages.render("schedules", Map.of("shell", pages.shell(request, "schedules"), "schedules", schedules));
    }

    private Answer runSchedule(Request request, Map<String, String> names) {
        String id = services.jobChanges().runSchedule(source(request), viewer(request), schedule(request, names));
        return Pages.done(pages.shell(request, "jobs").job(id), "enqueued", -1);
    }

    private Answer pauseSchedule(Request request, Map<String, String> names, boolean paused) {
        services.jobChanges().pauseSchedule(source(request), viewer(request), schedule(request, names), paused);
        return Pages.done(pages.shell(request, "schedules").link("schedules"), paused ? "paused" : "resumed", -1);
    }

    private Answer removeSchedule(Request request, Map<String, String> names) {
        services.jobChanges().removeSchedule(source(request), viewer(request), schedule(request, names));
        return Pages.done(pages.shell(request, "schedules").link("schedules"), "removed", -1);
    }

    private Answer batches(Request request) {
        viewer(request).require(Operation.VIEW, "");
        var page = services.jobs()
                .batches(source(request), request.query().get("after").orElse(""), BATCHES);
        return pages.render("batches", Map.of("shell", pages.shell(request, "batches"), "page", page));
    }

    private Answer runners(Request request) {
        viewer(request).require(Operation.VIEW, "");
        return pages.render(
                "runners",
                Map.of(
                        "shell", pages.shell(request, "runners"),
                        "runners", services.jobs().runners(source(request), viewer(request))));
    }
}

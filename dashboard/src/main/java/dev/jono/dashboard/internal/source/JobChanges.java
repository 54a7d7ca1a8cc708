package dev.jono.dashboard.internal.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Json;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** What users change on jobs and schedules. Each change is checked against the rights of the user, and logged. Thread-safe. */
public final class JobChanges {
    /** The most jobs that one request changes. */
    public static final int MAX_JOBS = 10_000;

    private static final String REASON = "cancelled in the dashboard";

    /** What can be done to a job. */
    public enum Action {
        RETRY(Operation.RETRY, "retried"),
        CANCEL(Operation.CANCEL, "cancelled"),
        RUN(Operation.RUN, "started"),
        RERUN(Operation.RETRY, "enqueued again"),
        REMOVE(Operation.REMOVE, "removed"),
        PRIORITY(Operation.PRIORITIZE, "changed the priority of");

        final Operation operation;
        final String done;

        Action(Operation operation, String done) {
            this.operation = operation;
            this.done = done;
        }

        /** The right that it needs. */
        public Operation operation() {
            return operation;
        }

        /** The action of this name. */
        public static Action of(String name) {
            return Arrays.stream(values())
                    .filter(action -> action.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.missing("there is no action '" + name + "'"));
        }
    }

    /** Does something to one job; refused if the state of the job does not allow it. Returns the type of the job. */
    @CanIgnoreReturnValue
    public String change(Source source, Viewer viewer, String id, Action action, Input input) {
        String type = JobViews.find(source, viewer, id).type();
        viewer.require(action.operation, type);
        if (!step(source.jobs(), action, input).test(id)) {
            throw ProblemException.conflict("job '" + id + "' cannot be "
                    + (action == Action.PRIORITY ? "changed" : action.done) + ": its state does not allow that");
        }
        source.changedType(type);
        viewer.did(source, action.done + " job '" + id + "'");
        return type;
    }

    private static Predicate<String> step(Jobs jobs, Action action, Input input) {
        return switch (action) {
            case RETRY -> jobs::retry;
            case CANCEL -> id -> jobs.cancel(id, input.text("reason").orElse(REASON));
            case RUN -> jobs::runNow;
            case RERUN -> id -> jobs.rerun(id).isPresent();
            case REMOVE -> jobs::remove;
            case PRIORITY -> {
                JobPriority priority = priority(input.required("priority"));
                yield id -> jobs.changePriority(id, priority);
            }
        };
    }

    private static JobPriority priority(String text) {
        try {
            return JobPriority.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw ProblemException.bad("'" + text + "' is not a priority: use critical, high, medium, normal or low");
        }
    }

    /** Does something to several jobs. Those whose state does not allow it are left as they are. Returns how many were changed. */
    public int changeAll(Source source, Viewer viewer, List<String> ids, Action action, Input input) {
        if (ids.size() > MAX_JOBS) {
            throw ProblemException.bad("more than " + MAX_JOBS + " ids");
        }
        Predicate<String> step = step(source.jobs(), action, input);
        int changed = 0;
        for (String id : ids) {
            String type = typeOf(id);
            viewer.require(action.operation, type);
            changed += step.test(id) ? 1 : 0;
            source.changedType(type);
        }
        viewer.did(source, action.done + " " + changed + " of " + ids.size() + " chosen jobs");
        return changed;
    }

    static String typeOf(String id) {
        int colon = id.indexOf(':');
        if (colon < 1 || colon == id.length() - 1) {
            throw ProblemException.bad("'" + id + "' is not the id of a job");
        }
        return id.substring(0, colon);
    }

    /** Does something to all jobs of a selection, which names a type, up to a bound. Returns how many were changed. */
    public int changeAll(
            Source source, Viewer viewer, JobViews.Selection selection, int max, Action action, Input input) {
        String type = selection.type();
        if (type == null) {
            throw ProblemException.bad("'type' is missing: a change by query is about one type");
        }
        viewer.require(action.operation, type);
        JobQuery query = selection.query();
        Jobs jobs = source.jobs();
        int changed = switch (action) {
            case RETRY -> jobs.retryAll(query, max);
            case CANCEL -> jobs.cancelAll(query, input.text("reason").orElse(REASON), max);
            case REMOVE -> jobs.removeAll(query, max);
            case PRIORITY -> jobs.changePriorityAll(query, priority(input.required("priority")), max);
            case RUN -> jobs.runNowAll(query, max);
            case RERUN -> jobs.rerunAll(query, max);
        };
        source.changedType(type);
        viewer.did(source, action.done + " " + changed + " jobs of type '" + type + "'");
        return changed;
    }

    /** Enqueues a job. Returns its handle. */
    public JobHandle<?> enqueue(Source source, Viewer viewer, Input input) {
        String name = input.required("type");
        viewer.require(Operation.ENQUEUE, name);
        JobType<EncodedPayload, EncodedPayload> plain = type(name);
        // The runners of the type must know that it has keys: the type of their program has a function for them.
        JobType<EncodedPayload, EncodedPayload> type =
                input.text("key").isPresent() ? plain.key(payload -> null) : plain;
        JobHandle<?> job = source.jobs().enqueue(type, payload(input), none -> options(none, input));
        source.changedType(name);
        viewer.did(source, "enqueued job '" + job.id() + "'");
        return job;
    }

    private static JobType<EncodedPayload, EncodedPayload> type(String name) {
        return JobType.of(name, EncodedPayload.class).returning(EncodedPayload.class);
    }

    private static EncodedPayload payload(Input input) {
        JsonNode node = input.node("payload");
        return node != null
                ? EncodedPayload.of(PayloadKind.JSON, Json.write(node))
                : QueueChanges.payload(input.text("kind").orElse("json"), input.required("payload"));
    }

    private static EnqueueOptions options(EnqueueOptions none, Input input) {
        EnqueueOptions options = none;
        Optional<String> priority = input.text("priority");
        options = priority.isEmpty() ? options : options.priority(priority(priority.get()));
        Optional<String> key = input.text("key");
        options = key.isEmpty() ? options : options.key(key.get());
        Optional<String> unique = input.text("unique");
        options = unique.isEmpty() ? options : options.unique(unique.get(), UniqueMode.UNTIL_DONE);
        var due = input.instant("dueAt");
        var delay = input.duration("delay");
        options = due.isPresent() ? options.at(due.get()) : delay.isPresent() ? options.delay(delay.get()) : options;
        for (String tag : input.texts("tags")) {
            options = options.tag(tag);
        }
        List<String> after = input.texts("after");
        return after.isEmpty() ? options : options.after(after.toArray(String[]::new));
    }

    /** Pauses or resumes a type. */
    public void pauseType(Source source, Viewer viewer, String type, boolean paused) {
        viewer.require(Operation.PAUSE, type);
        if (paused) {
            source.jobs().pause(type);
        } else {
            source.jobs().resume(type);
        }
        source.changedType(type);
        viewer.did(source, (paused ? "paused" : "resumed") + " type '" + type + "'");
    }

    /** Creates or changes a schedule. */
    public void schedule(Source source, Viewer viewer, String name, Input input) {
        String type = input.required("type");
        viewer.require(Operation.SCHEDULE, type);
        ZoneId zone;
        try {
            zone = ZoneId.of(input.required("zone"));
        } catch (DateTimeException e) {
            throw ProblemException.bad("'zone' must be a time zone such as Europe/Helsinki");
        }
        source.jobs().schedule(name, input.required("cron"), zone, type(type), payload(input));
        viewer.did(source, "stored schedule '" + name + "'");
    }

    /** Pauses or resumes a schedule. */
    public void pauseSchedule(Source source, Viewer viewer, JobViews.ScheduleDetail schedule, boolean paused) {
        viewer.require(Operation.PAUSE, schedule.type());
        String name = schedule.name();
        requireThere(paused ? source.jobs().pauseSchedule(name) : source.jobs().resumeSchedule(name), name);
        viewer.did(source, (paused ? "paused" : "resumed") + " schedule '" + name + "'");
    }

    /** Enqueues a job of a schedule now. Returns the id of the job. */
    public String runSchedule(Source source, Viewer viewer, JobViews.ScheduleDetail schedule) {
        viewer.require(Operation.RUN, schedule.type());
        String id = source.jobs()
                .runSchedule(schedule.name())
                .orElseThrow(() -> ProblemException.missing("there is no schedule '" + schedule.name() + "'"));
        source.changedType(schedule.type());
        viewer.did(source, "ran schedule '" + schedule.name() + "' as job '" + id + "'");
        return id;
    }

    /** Removes a schedule. */
    public void removeSchedule(Source source, Viewer viewer, JobViews.ScheduleDetail schedule) {
        viewer.require(Operation.REMOVE, schedule.type());
        requireThere(source.jobs().unschedule(schedule.name()), schedule.name());
        viewer.did(source, "removed schedule '" + schedule.name() + "'");
    }

    private static void requireThere(boolean there, String name) {
        if (!there) {
            throw ProblemException.missing("there is no schedule '" + name + "'");
        }
    }
}

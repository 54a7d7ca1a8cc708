package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that changes jobs. They are given by their ids, and each one that was changed is printed; or options select them, and the
 * number of changed jobs is printed.
 */
abstract class JobsChangeCommand extends StorageCommand {
    private static final String IDS = "The jobs' ids. Without ids, the options select the jobs.";

    @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.")
    private @Nullable String type;

    @Mixin
    private final JobSelection selection = new JobSelection();

    @Option(
            names = "-n",
            paramLabel = "N",
            description = "The maximum number of jobs that options select. Default: ${DEFAULT-VALUE}.")
    private int number = 1000;

    private final String participle;
    private final String verb;
    private final String refusal;

    /**
     * Creates a command.
     *
     * @param participle the change, such as {@code cancelled}
     * @param refusal why a job was not changed
     */
    private JobsChangeCommand(CommonOptions common, String participle, String refusal) {
        this(common, participle, participle, refusal);
    }

    /** @param verb the change in a sentence, if it is not the participle */
    private JobsChangeCommand(CommonOptions common, String participle, String verb, String refusal) {
        super(common);
        this.participle = participle;
        this.verb = verb;
        this.refusal = refusal;
    }

    @Override
    final void checkUsage() {
        boolean selects = type != null || !selection.isEmpty();
        if (ids().isEmpty() && !selects) {
            throw CliException.usage("give ids, or select jobs with --type, --state, --tag, --key or --batch");
        }
        if (!ids().isEmpty() && selects) {
            throw CliException.usage("give ids or options that select jobs, not both");
        }
        if (number < 1) {
            throw CliException.usage("-n must be at least 1: " + number);
        }
        ids().forEach(JobOptions::checkId);
        checkState(selection.state());
    }

    /** Checks the option {@code --state}; null if it is not given. */
    void checkState(@Nullable JobState state) {}

    @Override
    final int run(QueueFactory jono) throws IOException {
        Jobs jobs = Jobs.on(jono);
        JsonLines lines = new JsonLines(io().out());
        return ids().isEmpty() ? changeSelected(jobs, lines) : changeIds(jobs, lines);
    }

    private int changeSelected(Jobs jobs, JsonLines lines) throws IOException {
        int changed = changeAll(jobs, selection.query(type), number);
        lines.line(json -> {
            json.writeNumberField("jobs", changed);
            json.writeStringField("result", participle);
        });
        lines.flush();
        return changed == 0 ? Exit.NOTHING : Exit.DONE;
    }

    private int changeIds(Jobs jobs, JsonLines lines) throws IOException {
        int changed = 0;
        for (String id : ids()) {
            String now = changeOrSay(jobs, id);
            if (now.isEmpty()) {
                continue;
            }
            changed++;
            lines.line(json -> {
                json.writeStringField("id", now);
                json.writeStringField("result", participle);
            });
            lines.flush();
        }
        return changed == ids().size() ? Exit.DONE : changed == 0 ? Exit.NOTHING : Exit.ERROR;
    }

    /** As {@link #change}; says why a job was not changed. */
    private String changeOrSay(Jobs jobs, String id) {
        try {
            String now = change(jobs, id);
            if (now.isEmpty()) {
                io().say("jono: job " + id + " was not " + verb + ": " + refusal);
            }
            return now;
        } catch (IllegalArgumentException refused) {
            io().say("jono: " + ErrorLine.of(refused));
            return "";
        }
    }

    abstract List<String> ids();

    /** Changes a job; returns the id of the job that waits or has ended now, or an empty text if there was no effect. */
    abstract String change(Jobs jobs, String id);

    /** Changes up to {@code max} jobs; returns how many were changed. */
    abstract int changeAll(Jobs jobs, JobQuery query, int max);

    /** A command whose only parameters are ids. */
    abstract static class ById extends JobsChangeCommand {
        @Parameters(index = "1..*", paramLabel = "ID", description = IDS)
        private List<String> ids = List.of();

        private ById(CommonOptions common, String participle, String refusal) {
            super(common, participle, refusal);
        }

        private ById(CommonOptions common, String participle, String verb, String refusal) {
            super(common, participle, verb, refusal);
        }

        @Override
        final List<String> ids() {
            return ids;
        }
    }

    @Command(name = "retry", sortOptions = false, description = "Retry failed jobs, with all their attempts.")
    static final class Retry extends ById {
        Retry(CommonOptions common) {
            super(common, "retried", "it has not failed, or is gone");
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.retry(id) ? id : "";
        }

        @Override
        int changeAll(Jobs jobs, JobQuery query, int max) {
            return jobs.retryAll(query, max);
        }

        @Override
        void checkState(@Nullable JobState state) {
            if (state != null && state != JobState.FAILED) {
                throw CliException.usage("only failed jobs can be retried; leave --state out");
            }
        }
    }

    @Command(name = "run", sortOptions = false, description = "Make scheduled and retrying jobs due at once.")
    static final class RunNow extends ById {
        RunNow(CommonOptions common) {
            super(common, "due", "made due", "it is running, has ended, or is gone");
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.runNow(id) ? id : "";
        }

        @Override
        int changeAll(Jobs jobs, JobQuery query, int max) {
            return jobs.runNowAll(query, max);
        }
    }

    @Command(
            name = "priority",
            sortOptions = false,
            description = "Change the priority of jobs that are not running. They keep their due times and attempts.")
    static final class Priority extends JobsChangeCommand {
        @Parameters(index = "1", paramLabel = "PRIORITY", description = "critical, high, medium, normal or low.")
        private JobPriority priority = JobPriority.NORMAL;

        @Parameters(index = "2..*", paramLabel = "ID", description = IDS)
        private List<String> ids = List.of();

        Priority(CommonOptions common) {
            super(common, "changed", "it is running, has ended, or is gone");
        }

        @Override
        List<String> ids() {
            return ids;
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.changePriority(id, priority) ? id : "";
        }

        @Override
        int changeAll(Jobs jobs, JobQuery query, int max) {
            return jobs.changePriorityAll(query, priority, max);
        }
    }

    @Command(
            name = "rerun",
            sortOptions = false,
            description =
                    "Enqueue copies of ended jobs. Prints the new ids, or the number of jobs that options selected.")
    static final class Rerun extends ById {
        Rerun(CommonOptions common) {
            super(common, "enqueued", "it has not ended, or is gone");
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.rerun(id).orElse("");
        }

        @Override
        int changeAll(Jobs jobs, JobQuery query, int max) {
            return jobs.rerunAll(query, max);
        }
    }

    @Command(
            name = "cancel",
            sortOptions = false,
            description = "Cancel jobs. Waiting ones never start, running ones are interrupted within a second.")
    static final class Cancel extends ById {
        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "Kept in the records. Default: ${DEFAULT-VALUE}.")
        private String reason = "cancelled by 'jono jobs cancel'";

        Cancel(CommonOptions common) {
            super(common, "cancelled", "it has ended, or is gone");
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.cancel(id, reason) ? id : "";
        }

        @Override
        int changeAll(Jobs jobs, JobQuery query, int max) {
            return jobs.cancelAll(query, reason, max);
        }
    }

    @Command(
            name = "remove",
            sortOptions = false,
            description = "Remove jobs that are not running, with their records and logs.")
    static final class Remove extends ById {
        Remove(CommonOptions common) {
            super(common, "removed", "it is running, or is gone");
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.remove(id) ? id : "";
        }

        @Override
        int changeAll(Jobs jobs, JobQuery query, int max) {
            return jobs.removeAll(query, max);
        }
    }
}

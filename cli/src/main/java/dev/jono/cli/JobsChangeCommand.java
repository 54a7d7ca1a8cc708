package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes jobs by their ids, and prints those that it has changed. */
abstract class JobsChangeCommand extends StorageCommand {
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
    void checkUsage() {
        ids().forEach(JobOptions::checkId);
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        Jobs jobs = Jobs.on(jono);
        JsonLines lines = new JsonLines(io().out());
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

    /** A command whose only parameters are ids. */
    abstract static class ById extends JobsChangeCommand {
        @Parameters(index = "1..*", arity = "1..*", paramLabel = "ID", description = "The jobs' ids.")
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
    }

    @Command(
            name = "priority",
            sortOptions = false,
            description = "Change the priority of jobs that are not running. They keep their due times and attempts.")
    static final class Priority extends JobsChangeCommand {
        @Parameters(index = "1", paramLabel = "PRIORITY", description = "critical, high, medium, normal or low.")
        private JobPriority priority = JobPriority.NORMAL;

        @Parameters(index = "2..*", arity = "1..*", paramLabel = "ID", description = "The jobs' ids.")
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
    }

    @Command(name = "rerun", sortOptions = false, description = "Enqueue copies of ended jobs. Prints the new ids.")
    static final class Rerun extends ById {
        Rerun(CommonOptions common) {
            super(common, "enqueued", "it has not ended, or is gone");
        }

        @Override
        String change(Jobs jobs, String id) {
            return jobs.rerun(id).orElse("");
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
    }
}

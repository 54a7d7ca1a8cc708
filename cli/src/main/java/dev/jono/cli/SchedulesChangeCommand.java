package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command that changes schedules by their names, and prints those that it has changed. */
abstract class SchedulesChangeCommand extends StorageCommand {
    private final String participle;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "The names of the schedules.")
    private List<String> names = List.of();

    /**
     * Creates a command.
     *
     * @param participle the change, such as {@code paused}
     */
    private SchedulesChangeCommand(CommonOptions common, String participle) {
        super(common);
        this.participle = participle;
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        Jobs jobs = Jobs.on(jono);
        JsonLines lines = new JsonLines(io().out());
        int changed = 0;
        for (String name : names) {
            Optional<String> done = tryChange(jobs, name);
            if (done.isEmpty()) {
                io().say("jono: there is no schedule '" + name + "'");
                continue;
            }
            changed++;
            lines.line(json -> {
                json.writeStringField("name", name);
                json.writeStringField("result", participle);
                if (!done.get().isEmpty()) {
                    json.writeStringField("id", done.get());
                }
            });
            lines.flush();
        }
        return changed == names.size() ? Exit.DONE : changed == 0 ? Exit.NOTHING : Exit.ERROR;
    }

    private Optional<String> tryChange(Jobs jobs, String name) {
        try {
            return change(jobs, name);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(ErrorLine.of(e));
        }
    }

    /** Changes a schedule. Returns the id of an enqueued job, or an empty text; nothing if there is no such schedule. */
    abstract Optional<String> change(Jobs jobs, String name);

    private static Optional<String> done(boolean changed) {
        return changed ? Optional.of("") : Optional.empty();
    }

    @Command(
            name = "run",
            sortOptions = false,
            description = "Enqueue a job of each schedule now, in addition to its occurrences. Prints the ids.")
    static final class RunNow extends SchedulesChangeCommand {
        RunNow(CommonOptions common) {
            super(common, "enqueued");
        }

        @Override
        Optional<String> change(Jobs jobs, String name) {
            return jobs.runSchedule(name);
        }
    }

    @Command(name = "pause", sortOptions = false, description = "Pause schedules: no occurrences until 'resume'.")
    static final class Pause extends SchedulesChangeCommand {
        Pause(CommonOptions common) {
            super(common, "paused");
        }

        @Override
        Optional<String> change(Jobs jobs, String name) {
            return done(jobs.pauseSchedule(name));
        }
    }

    @Command(name = "resume", sortOptions = false, description = "End the pause of schedules.")
    static final class Resume extends SchedulesChangeCommand {
        Resume(CommonOptions common) {
            super(common, "resumed");
        }

        @Override
        Optional<String> change(Jobs jobs, String name) {
            return done(jobs.resumeSchedule(name));
        }
    }

    @Command(name = "rm", sortOptions = false, description = "Remove schedules. Jobs that are enqueued already stay.")
    static final class Remove extends SchedulesChangeCommand {
        Remove(CommonOptions common) {
            super(common, "removed");
        }

        @Override
        Optional<String> change(Jobs jobs, String name) {
            return done(jobs.unschedule(name));
        }
    }
}

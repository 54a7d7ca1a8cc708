package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "show", sortOptions = false, description = "Show a job with its attempts, progress and result.")
final class JobsShowCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(names = "--log", description = "Show its log, too: a line for each line of the log.")
    private boolean withLog;

    JobsShowCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        JobOptions.checkId(id);
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        Jobs jobs = Jobs.on(jono);
        Optional<JobView> found = jobs.get(id);
        if (found.isEmpty()) {
            io().say("there is no job " + id);
            return Exit.NOTHING;
        }
        JsonLines lines = new JsonLines(io().out());
        JobLines.details(lines, found.get());
        if (withLog) {
            JobLines.log(lines, jobs.log(id));
        }
        lines.flush();
        if (found.get().state() == JobState.RUNNING) {
            ProgressText.say(io(), List.of(found.get()));
        }
        return Exit.DONE;
    }
}

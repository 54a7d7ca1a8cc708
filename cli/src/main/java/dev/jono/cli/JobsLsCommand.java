package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "ls",
        sortOptions = false,
        description =
                "List jobs: first those that have not ended, by priority and due time, then the others, last ended"
                        + " first.")
final class JobsLsCommand extends StorageCommand {
    @Parameters(index = "1", arity = "0..1", paramLabel = "TYPE", description = "Only jobs of this type.")
    private @Nullable String type;

    @Mixin
    private final JobSelection selection = new JobSelection();

    @Option(names = "-n", paramLabel = "N", description = "The maximum number of jobs. Default: ${DEFAULT-VALUE}.")
    private long number = 20;

    JobsLsCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (number < 1) {
            throw CliException.usage("-n must be at least 1: " + number);
        }
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        Jobs jobs = Jobs.on(jono);
        JsonLines lines = new JsonLines(io().out());
        List<JobView> running = new ArrayList<>();
        long printed = 0;
        Optional<JobQuery> next = Optional.of(selection.query(type));
        while (next.isPresent() && printed < number) {
            JobQuery query = next.get().limit((int) Math.min(CountOptions.BATCH, number - printed));
            JobPage page = jobs.find(query);
            for (JobView job : page.jobs()) {
                JobLines.job(lines, job);
                if (job.state() == JobState.RUNNING) {
                    running.add(job);
                }
            }
            lines.flush();
            printed += page.jobs().size();
            next = page.next().map(query::after);
        }
        ProgressText.say(io(), running);
        return printed == 0 ? Exit.NOTHING : Exit.DONE;
    }
}

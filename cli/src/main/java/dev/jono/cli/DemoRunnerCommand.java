package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "demo-runner", hidden = true, description = "A process of 'demo' that runs jobs.")
final class DemoRunnerCommand extends DemoChildCommand {
    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--accounts", required = true)
    private Path accounts = Path.of("");

    @Option(names = "--hang-after")
    private int hangAfter = Integer.MAX_VALUE;

    DemoRunnerCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void run(QueueFactory jono, String prefix, SharedClock clock, DemoReport report, ParentWatch parent)
            throws IOException, InterruptedException {
        DemoJobs jobs = new DemoJobs(jono, prefix);
        try (DemoAccounts books = new DemoAccounts(accounts)) {
            JobRunner runner = jobs.start(name, new DemoHandler(books, clock, report, parent, hangAfter));
            parent.await();
            runner.stop(Duration.ofSeconds(10));
        }
    }
}

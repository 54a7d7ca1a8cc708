package dev.jono.cli;

import dev.jono.QueueFactory;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The base of the child processes of the demo. */
abstract class DemoChildCommand extends StorageCommand {
    @Option(names = "--prefix", required = true)
    private String prefix = "";

    @Option(names = "--origin", required = true)
    private String origin = "";

    DemoChildCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        Logging.errorsOnly();
    }

    @Override
    final int run(QueueFactory jono) throws IOException, InterruptedException {
        run(jono, prefix, SharedClock.join(origin), new DemoReport(io().out()), new ParentWatch(io().in()));
        return Exit.DONE;
    }

    /** @param prefix begins the names of all queues and types of jobs */
    abstract void run(QueueFactory jono, String prefix, SharedClock clock, DemoReport report, ParentWatch parent)
            throws IOException, InterruptedException;
}

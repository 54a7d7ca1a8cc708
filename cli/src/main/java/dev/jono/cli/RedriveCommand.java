package dev.jono.cli;

import dev.jono.QueueFactory;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "redrive",
        sortOptions = false,
        description = "Send dead letters back to the queues they came from. --dead-letter names the dead-letter queue.")
final class RedriveCommand extends StorageCommand {
    @Option(names = "-n", paramLabel = "N", description = "The maximum number of messages. Default: all.")
    private int most = Integer.MAX_VALUE;

    RedriveCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (most < 1) {
            throw CliException.usage("-n must be at least 1: " + most);
        }
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        long redriven = jono.deadLetters().redrive(most);
        new JsonLines(io().out()).count("redriven", redriven);
        return redriven == 0 ? Exit.NOTHING : Exit.DONE;
    }
}

package dev.jono.cli;

import dev.jono.Codec;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "ls", sortOptions = false, description = "List the queues of a storage.")
final class LsCommand extends StorageCommand {
    @Option(names = "-l", description = "Show the numbers of messages, too.")
    private boolean withCounts;

    LsCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        List<String> names = jono.queues();
        JsonLines lines = new JsonLines(io().out());
        for (String name : names) {
            if (withCounts) {
                QueueCounts counts = jono.queue(name, Codec.raw()).counts();
                lines.line(json -> {
                    json.writeStringField("name", name);
                    JsonLines.counts(json, counts);
                });
            } else {
                lines.line(json -> json.writeStringField("name", name));
            }
        }
        lines.flush();
        return names.isEmpty() ? Exit.NOTHING : Exit.DONE;
    }
}

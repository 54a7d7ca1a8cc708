package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "info",
        sortOptions = false,
        description = "Show how many jobs of each type are in each state. Retrying jobs are counted as scheduled.")
final class JobsInfoCommand extends StorageCommand {
    JobsInfoCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        Jobs jobs = Jobs.on(jono);
        JsonLines lines = new JsonLines(io().out());
        Map<String, Map<JobState, Long>> types = jobs.counts();
        for (Map.Entry<String, Map<JobState, Long>> type : types.entrySet()) {
            boolean paused = jobs.isPaused(type.getKey());
            lines.line(json -> {
                json.writeStringField("type", type.getKey());
                for (Map.Entry<JobState, Long> count : type.getValue().entrySet()) {
                    json.writeNumberField(count.getKey().name().toLowerCase(Locale.ROOT), count.getValue());
                }
                if (paused) {
                    json.writeBooleanField("paused", true);
                }
            });
        }
        lines.flush();
        return types.isEmpty() ? Exit.NOTHING : Exit.DONE;
    }
}

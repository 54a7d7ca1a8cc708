package dev.jono.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.RunnerView;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

@Command(
        name = "runners",
        sortOptions = false,
        description = {
            "List the runners that are alive, in all processes, those that started first first.",
            "Each reports every five seconds. One whose process has died leaves the list after 15 seconds."
        })
final class JobsRunnersCommand extends StorageCommand {
    JobsRunnersCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        List<RunnerView> runners = Jobs.on(jono).runners();
        JsonLines lines = new JsonLines(io().out());
        for (RunnerView runner : runners) {
            lines.line(json -> fields(json, runner));
        }
        lines.flush();
        return runners.isEmpty() ? Exit.NOTHING : Exit.DONE;
    }

    private static void fields(JsonGenerator json, RunnerView runner) throws IOException {
        json.writeStringField("name", runner.name());
        json.writeStringField("id", runner.id());
        json.writeStringField("host", runner.host());
        json.writeNumberField("pid", runner.pid());
        json.writeStringField("state", runner.state().name().toLowerCase(Locale.ROOT));
        json.writeArrayFieldStart("types");
        for (String type : runner.types()) {
            json.writeString(type);
        }
        json.writeEndArray();
        json.writeNumberField("concurrency", runner.concurrency());
        json.writeNumberField("running", runner.running());
        json.writeStringField("startedAt", runner.startedAt().toString());
        json.writeStringField("lastSeen", runner.lastSeen().toString());
    }
}

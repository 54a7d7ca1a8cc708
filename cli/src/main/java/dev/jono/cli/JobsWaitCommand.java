package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobTimeoutException;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "wait",
        sortOptions = false,
        description = {
            "Wait until a job has ended, and print its result. Meanwhile, its state and progress are shown on standard error.",
            "Exit code 1 if it has not succeeded, 3 if it has not ended within the timeout, or there is no such job."
        })
final class JobsWaitCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "ID", description = "The job's id.")
    private String id = "";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "The maximum time to wait. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(30);

    JobsWaitCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        JobOptions.checkId(id);
    }

    @Override
    int run(QueueFactory jono) throws IOException, InterruptedException {
        EncodedPayload result;
        Jobs jobs = Jobs.on(jono);
        if (jobs.get(id).isEmpty()) {
            io().say("there is no job " + id);
            return Exit.NOTHING;
        }
        try (WaitDisplay display = new WaitDisplay(io(), jobs, id)) {
            display.start();
            result = jobs.await(JobOptions.typeOf(id), id, timeout);
        } catch (JobTimeoutException e) {
            io().say(ErrorLine.of(e));
            return Exit.NOTHING;
        }
        JsonLines lines = new JsonLines(io().out());
        lines.line(json -> {
            json.writeStringField("id", id);
            if (result != null) {
                JsonLines.value(json, "result", result);
            }
        });
        lines.flush();
        return Exit.DONE;
    }
}

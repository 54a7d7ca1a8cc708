package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobRun;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Runs a shell command for each job, and reads what it reports from its standard output. Thread-safe. */
final class ShellJobHandler implements JobHandler<EncodedPayload, EncodedPayload> {
    private final Io io;
    private final ShellCommand shell;
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    ShellJobHandler(Io io, ShellCommand shell) {
        this.io = io;
        this.shell = shell;
    }

    @Override
    public @Nullable EncodedPayload run(EncodedPayload payload, JobRun run) throws Exception {
        Process process = shell.start(
                payload.bytes(),
                variables -> ShellEnvironment.describe(run, variables),
                Redirect.PIPE,
                Redirect.INHERIT);
        failed.incrementAndGet();
        try {
            ShellReports reports = ShellReports.read(process.getInputStream(), run);
            int code = process.waitFor();
            reports.awaitEnd();
            EncodedPayload result = result(reports, run, code);
            failed.decrementAndGet();
            succeeded.incrementAndGet();
            return result;
        } finally {
            shell.end(process);
        }
    }

    private @Nullable EncodedPayload result(ShellReports reports, JobRun run, int code) throws IOException {
        if (reports.failure() != null) {
            throw run.fail(reports.failure());
        }
        if (reports.snooze() != null) {
            throw run.snooze(reports.snooze());
        }
        if (code != 0) {
            io.say("job " + run.id() + ": attempt " + run.attempt() + " ended with exit code " + code);
            throw CliException.error("the command ended with exit code " + code);
        }
        byte[] result = reports.result();
        if (result == null) {
            return null;
        }
        String fault =
                Json.utf8(result).map(text -> Json.fault(text).orElse("")).orElse("it is not UTF-8");
        if (!fault.isEmpty()) {
            throw CliException.error("the result is not a JSON value: " + fault);
        }
        return EncodedPayload.of(PayloadKind.JSON, result);
    }

    String summary() {
        return succeeded + " succeeded, " + failed + " failed";
    }
}

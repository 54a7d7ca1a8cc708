package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.Handler;
import dev.jono.Reservation;
import dev.jono.RetryOutcome;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Runs a shell command for each message. The command inherits the output streams of this process. Thread-safe. */
final class ShellHandler implements Handler<EncodedPayload> {
    private final Io io;
    private final ShellCommand shell;
    private final DeliveryCounts tally;

    ShellHandler(Io io, ShellCommand shell, DeliveryCounts tally) {
        this.io = io;
        this.shell = shell;
        this.tally = tally;
    }

    @Override
    public void handle(EncodedPayload payload, Reservation<EncodedPayload> delivery)
            throws IOException, InterruptedException {
        Process process = shell.start(delivery, Redirect.INHERIT, Redirect.INHERIT);
        try {
            int code = process.waitFor();
            if (code == 0) {
                delivery.ack();
                tally.setResult(DeliveryCounts.Result.SUCCEEDED);
                return;
            }
            RetryOutcome outcome = delivery.retry(CliException.error("the command ended with exit code " + code));
            io.say("message " + delivery.id() + ": exit code " + code + ", "
                    + (outcome == RetryOutcome.RETRIED ? "will be retried" : "moved to the dead letters"));
        } finally {
            shell.end(process);
        }
    }
}

package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.PayloadKind;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Processor;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A stage of a pipeline that runs a shell command, whose standard output becomes the payload. Thread-safe. */
final class ShellStage implements Processor<EncodedPayload> {
    private final Io io;
    private final ShellCommand shell;
    private final Settings settings;
    private final DeliveryCounts tally;

    ShellStage(Io io, ShellCommand shell, Settings settings, DeliveryCounts tally) {
        this.io = io;
        this.shell = shell;
        this.settings = settings;
        this.tally = tally;
    }

    /**
     * How results of the command are treated.
     *
     * @param dropOn exit codes that remove the message
     * @param rejectOn exit codes that make the message a dead letter
     * @param kind the kind of the new payload; null for the kind of the old one
     * @param unchanged whether the message keeps its payload
     */
    record Settings(
            Set<Integer> dropOn,
            Set<Integer> rejectOn,
            @Nullable PayloadKind kind,
            boolean unchanged) {}

    @Override
    public Outcome process(EncodedPayload payload, Message<EncodedPayload> message)
            throws IOException, InterruptedException {
        Process process = shell.start(message, settings.unchanged() ? Redirect.INHERIT : Redirect.PIPE, Redirect.PIPE);
        try {
            CapturedOutput out = CapturedOutput.of(process);
            CapturedErrors errors = CapturedErrors.of(process, io.err());
            int code = process.waitFor();
            byte[] written = out.await();
            String ended = "the command ended with exit code " + code + errors.await();
            if (settings.dropOn().contains(code)) {
                tally.setResult(DeliveryCounts.Result.DROPPED);
                return Outcome.drop();
            }
            if (settings.rejectOn().contains(code)) {
                tally.setResult(DeliveryCounts.Result.REJECTED);
                io.say("message " + message.id() + ": exit code " + code + ", moved to the dead letters");
                return Outcome.reject(ended);
            }
            if (code != 0) {
                throw CliException.error(ended);
            }
            Outcome next = Outcome.next();
            if (!settings.unchanged()) {
                PayloadKind kind = settings.kind() == null ? payload.kind() : settings.kind();
                next = next.payload(payload(kind, written));
            }
            tally.setResult(DeliveryCounts.Result.MOVED);
            return next;
        } catch (CliException failure) {
            io.say("message " + message.id() + ", attempt " + message.attempt() + ": " + ErrorLine.of(failure));
            throw failure;
        } finally {
            shell.end(process);
        }
    }

    /** Converts the output to a payload. As in a shell's {@code $(…)}, text does not include the last line break. */
    private static EncodedPayload payload(PayloadKind kind, byte[] written) {
        int end = written.length;
        if (kind != PayloadKind.BYTES && end > 0 && written[end - 1] == '\n') {
            end--;
            if (end > 0 && written[end - 1] == '\r') {
                end--;
            }
        }
        byte[] bytes = end == written.length ? written : java.util.Arrays.copyOf(written, end);
        return kind == PayloadKind.BYTES
                ? EncodedPayload.of(kind, bytes)
                : PayloadSource.text("the output of the command", kind, bytes);
    }
}

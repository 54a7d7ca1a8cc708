package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.Handler;
import dev.jono.Reservation;
import dev.jono.RetryOutcome;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Runs a shell command per message. Its output goes where this process's goes. Thread-safe. */
final class ShellHandler implements Handler<EncodedPayload> {
    /** A Ctrl-C reaches all processes of the terminal's group; the command is to finish nevertheless. */
    private static final String SHIELDED = "trap '' INT; exec sh -c \"$1\"";

    private final Io io;
    private final String command;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong succeeded = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    ShellHandler(Io io, String command) {
        this.io = io;
        this.command = command;
    }

    @Override
    public void handle(EncodedPayload payload, Reservation<EncodedPayload> delivery)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", SHIELDED, "sh", command)
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT);
        builder.environment().put("JONO_ID", delivery.id());
        builder.environment().put("JONO_QUEUE", delivery.queue());
        builder.environment().put("JONO_TRIES", Integer.toString(delivery.tries()));
        Process process = builder.start();
        running.add(process);
        try {
            feed(process, payload.bytes());
            int code = process.waitFor();
            if (code == 0) {
                succeeded.incrementAndGet();
                return;
            }
            failed.incrementAndGet();
            RetryOutcome outcome = delivery.retry(CliException.error("the command ended with exit code " + code));
            io.say("message " + delivery.id() + ": exit code " + code + ", "
                    + (outcome == RetryOutcome.RETRIED ? "comes again" : "given up to the dead letters"));
        } finally {
            destroy(process);
            running.remove(process);
        }
    }

    /** On a thread of its own: a command that reads late must not keep the handler from being interrupted. */
    private static void feed(Process process, byte[] payload) {
        Thread feeder = new Thread(
                () -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(payload);
                    } catch (IOException e) {
                        // The command did not care to read it all.
                    }
                },
                "jono-work-feeder");
        feeder.setDaemon(true);
        feeder.start();
    }

    private static void destroy(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Ends all running commands. */
    void destroyAll() {
        running.forEach(ShellHandler::destroy);
    }

    long succeeded() {
        return succeeded.get();
    }

    long failed() {
        return failed.get();
    }
}

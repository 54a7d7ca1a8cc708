package dev.jono.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The standard output of a command, read by a thread of its own while the command runs. */
final class CapturedOutput {
    /** Longer than any payload may be. */
    private static final int LONGEST = 64 << 20;

    private final CompletableFuture<byte[]> all = new CompletableFuture<>();

    private CapturedOutput() {}

    /** Starts to read. {@link #await} returns the result. */
    static CapturedOutput of(Process process) {
        CapturedOutput captured = new CapturedOutput();
        Thread reader = new Thread(() -> captured.read(process), "jono-command-output");
        reader.setDaemon(true);
        reader.start();
        return captured;
    }

    private void read(Process process) {
        try (InputStream from = process.getInputStream()) {
            byte[] bytes = from.readNBytes(LONGEST);
            if (bytes.length == LONGEST) {
                process.destroyForcibly(); // otherwise it would block on its output for ever
                throw new IOException("the command wrote more than " + (LONGEST >> 20) + " MiB");
            }
            all.complete(bytes);
        } catch (IOException | OutOfMemoryError failure) {
            all.completeExceptionally(failure);
        }
    }

    /** Waits until all processes of the command have closed the stream, and returns all bytes. */
    byte[] await() throws InterruptedException {
        try {
            return all.get();
        } catch (ExecutionException e) {
            throw CliException.error(ErrorLine.of(e), e);
        }
    }
}

package dev.jono.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The standard output of a command, read while it runs. */
final class CapturedOutput {
    /** What is longer than any payload may be is not worth the memory. */
    private static final int LONGEST = 64 << 20;

    private final CompletableFuture<byte[]> all = new CompletableFuture<>();

    private CapturedOutput() {}

    /** Begins to read; to be waited for with {@link #await}. */
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
                process.destroyForcibly(); // or it would wait for us for ever
                throw new IOException("the command wrote more than " + (LONGEST >> 20) + " MiB");
            }
            all.complete(bytes);
        } catch (IOException | OutOfMemoryError failure) {
            all.completeExceptionally(failure);
        }
    }

    /** All of it, when the command and all that it has started have closed it. */
    byte[] await() throws InterruptedException {
        try {
            return all.get();
        } catch (ExecutionException e) {
            throw CliException.error(ErrorLine.of(e), e);
        }
    }
}

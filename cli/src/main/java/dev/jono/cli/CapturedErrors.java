package dev.jono.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Forwards the standard error of a command, and keeps its last lines. One reader thread per command. */
final class CapturedErrors {
    /** The most that the header of a dead letter holds. */
    private static final int LONGEST = 800;

    private final CompletableFuture<String> tail = new CompletableFuture<>();

    private CapturedErrors() {}

    /** Starts to read. {@link #await} returns the result. */
    static CapturedErrors of(Process process, PrintStream to) {
        CapturedErrors captured = new CapturedErrors();
        Thread reader = new Thread(() -> captured.read(process.getErrorStream(), to), "jono-command-errors");
        reader.setDaemon(true);
        reader.start();
        return captured;
    }

    private void read(InputStream stream, PrintStream to) {
        ArrayDeque<Byte> last = new ArrayDeque<>();
        byte[] buffer = new byte[4096];
        try (InputStream from = stream) {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                to.write(buffer, 0, count);
                to.flush();
                for (int i = Math.max(0, count - LONGEST); i < count; i++) {
                    last.add(buffer[i]);
                }
                while (last.size() > LONGEST) {
                    last.remove();
                }
            }
        } catch (IOException e) {
            // The command was killed. All that it had written is read.
        } finally {
            tail.complete(text(last));
        }
    }

    private static String text(ArrayDeque<Byte> last) {
        byte[] bytes = new byte[last.size()];
        int next = 0;
        for (byte one : last) {
            bytes[next++] = one;
        }
        String text = ArgumentEncoding.readable(bytes);
        int line = text.indexOf('\n');
        boolean cut = bytes.length == LONGEST && line >= 0 && line < text.length() - 1;
        return (cut ? text.substring(line + 1) : text).strip();
    }

    /** Waits until all processes of the command have closed the stream, and returns its last lines after a colon. */
    String await() throws InterruptedException {
        try {
            String text = tail.get();
            return text.isEmpty() ? "" : ": " + text;
        } catch (ExecutionException e) {
            throw CliException.error(ErrorLine.of(e), e);
        }
    }
}

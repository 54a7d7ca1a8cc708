package dev.jono.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a command reads and writes.
 *
 * @param in what it reads
 * @param out data, as JSON lines
 * @param err words
 * @param terminal whether a person watches {@code err}
 */
record Io(InputStream in, OutputStream out, PrintStream err, boolean terminal) {
    /**
     * The process's own streams. Standard output is not a PrintStream, which would hide that a pipe is closed. Standard
     * error, the log's too, is UTF-8: the JVM's own writes in the encoding of the locale.
     */
    static Io standard() {
        PrintStream err = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.err)), true, StandardCharsets.UTF_8);
        System.setErr(err);
        return new Io(System.in, new FileOutputStream(FileDescriptor.out), err, isTerminal(2));
    }

    /** Whether a file descriptor of this process is a terminal. */
    static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        try {
            if (Files.exists(link)) {
                return Files.readSymbolicLink(link).toString().matches("/dev/(pts/.*|tty.*|console)");
            }
            Process test = new ProcessBuilder("test", "-t", Integer.toString(descriptor))
                    .inheritIO()
                    .start();
            return test.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Says a line of words. */
    void say(String words) {
        err.println(words);
    }
}

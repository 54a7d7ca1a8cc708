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
 * The streams of a command.
 *
 * @param in input
 * @param out results, as JSON lines
 * @param err messages for people
 * @param terminal whether {@code err} is a terminal
 * @param screen whether {@code out} is a terminal
 */
record Io(InputStream in, OutputStream out, PrintStream err, boolean terminal, boolean screen) {
    /**
     * The streams of this process. Standard output is not a PrintStream, because that would hide a closed pipe.
     * Replaces System.err, so that messages and the log are UTF-8 and not in the encoding of the locale.
     */
    static Io standard() {
        PrintStream err = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.err)), true, StandardCharsets.UTF_8);
        System.setErr(err);
        return new Io(System.in, new FileOutputStream(FileDescriptor.out), err, isTerminal(2), isTerminal(1));
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

    /** Writes a line of text to standard error. */
    void say(String text) {
        err.println(text);
    }

    /** Writes a line of text to standard output. */
    void print(String text) throws IOException {
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}

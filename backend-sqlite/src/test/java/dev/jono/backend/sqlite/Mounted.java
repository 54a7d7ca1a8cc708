package dev.jono.backend.sqlite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of its own, for as long as a test needs it. Only root can mount; others skip the test. */
final class Mounted implements AutoCloseable {
    private final Path at;

    private Mounted(Path at) {
        this.at = at;
    }

    /** Mounts a file system in memory; skips the test where this is not possible. */
    static Mounted tmpfs(Path at, String options) throws IOException, InterruptedException {
        String refused = run("mount", "-t", "tmpfs", "-o", options, "jono-test", at.toString());
        assumeTrue(refused.isEmpty(), "this test mounts a file system, which only root can: " + refused);
        return new Mounted(at);
    }

    /** What a command says when it fails; empty when it does not. */
    private static String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return "it hangs";
        }
        return process.exitValue() == 0 ? "" : "exit code " + process.exitValue() + ", " + said;
    }

    /** Takes the file system away, also while it is used. */
    @Override
    public void close() throws IOException, InterruptedException {
        run("umount", "-l", at.toString());
    }
}

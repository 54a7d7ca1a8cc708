package dev.jono.backend.sqlite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A file system of its own, for as long as a test needs it. Only root can mount; others skip the test. */
final class TmpfsMount implements AutoCloseable {
    private final Path at;

    private TmpfsMount(Path at) {
        this.at = at;
    }

    /** Mounts a file system in memory; skips the test where this is not possible. */
    static TmpfsMount tmpfs(Path at, String options) throws IOException {
        String refused = run("mount", "-t", "tmpfs", "-o", options, "jono-test", at.toString());
        assumeTrue(refused.isEmpty(), "this test mounts a file system, which only root can: " + refused);
        return new TmpfsMount(at);
    }

    /** What a command says when it fails; empty when it does not. */
    private static String run(String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.onExit().join().exitValue();
        return code == 0 ? "" : "exit code " + code + ", " + said;
    }

    Path path() {
        return at;
    }

    /** Takes the file system away, also while it is used. */
    void takeAway() throws IOException {
        run("umount", "-l", at.toString());
    }

    @Override
    public void close() throws IOException {
        takeAway();
    }
}

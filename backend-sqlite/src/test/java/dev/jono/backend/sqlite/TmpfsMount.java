package dev.jono.backend.sqlite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A mounted file system for one test. Only root can mount; for other users the test is skipped. */
final class TmpfsMount implements AutoCloseable {
    private final Path at;

    private TmpfsMount(Path at) {
        this.at = at;
    }

    /** Mounts a file system in memory; skips the test if this is not possible. */
    static TmpfsMount tmpfs(Path at, String options) throws IOException {
        String refused = run("mount", "-t", "tmpfs", "-o", options, "jono-test", at.toString());
        assumeTrue(refused.isEmpty(), "this test mounts a file system, which only root may do: " + refused);
        return new TmpfsMount(at);
    }

    /** Runs a command; returns its output if it fails, or an empty text. */
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

    /** Unmounts the file system, even while it is used. */
    void unmount() throws IOException {
        run("umount", "-l", at.toString());
    }

    @Override
    public void close() throws IOException {
        unmount();
    }
}

package dev.jono.e2e.faults;

import dev.jono.testkit.server.ServerBinary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A small file system in memory. Only processes that are started {@link #inside} it see it: a helper process holds it
 * in namespaces of its own, until it is closed or this JVM ends. Linux only. Not thread-safe.
 */
public final class SmallDisk implements AutoCloseable {
    private static final String MOUNT = "mount -t tmpfs -o size=\"$1\" none \"$2\" && echo mounted && exec cat";

    private final Path folder;
    private final Process holder;

    private SmallDisk(Path folder, Process holder) {
        this.folder = folder;
        this.holder = holder;
    }

    /**
     * Mounts a file system.
     *
     * @param size in the form of {@code mount}, such as {@code 400m}
     * @throws org.opentest4j.TestAbortedException if the system refuses it, so that the test is skipped
     */
    public static SmallDisk mount(String size) {
        Path unshare = ServerBinary.named("unshare").require();
        try {
            Path folder = Files.createTempDirectory("jono-disk-");
            Process holder = new ProcessBuilder(
                            unshare.toString(), "-Urm", "sh", "-c", MOUNT, "mount", size, folder.toString())
                    .redirectErrorStream(true)
                    .start();
            BufferedReader said = holder.inputReader(StandardCharsets.UTF_8);
            String first = said.readLine();
            if (!"mounted".equals(first)) {
                Files.delete(folder);
                throw ServerBinary.missing("unshare", "no file system can be mounted here: " + first);
            }
            return new SmallDisk(folder, holder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot mount a small disk", e);
        }
    }

    /** The path of the file system, for processes inside. */
    public Path folder() {
        return folder;
    }

    /** The command that starts another command inside. */
    public List<String> inside() {
        return List.of(
                ServerBinary.named("nsenter").require().toString(),
                "--target=" + holder.pid(),
                "--user",
                "--mount",
                "--preserve-credentials",
                "--");
    }

    /** As {@link #inside()}, as a user who is not root there. The files that it creates belong to that user. */
    public List<String> insideUnprivileged() {
        List<String> command = new ArrayList<>(inside());
        command.addAll(List.of("unshare", "--user", "--map-user=1000", "--map-group=1000", "--"));
        return command;
    }

    /** Changes the size. The files stay. */
    public void resize(String size) {
        List<String> command = new ArrayList<>(inside());
        command.addAll(List.of("mount", "-o", "remount,size=" + size, folder.toString()));
        try {
            Process remount =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = remount.inputReader(StandardCharsets.UTF_8).lines().collect(Collectors.joining("\n"));
            if (remount.waitFor() != 0) {
                throw new IllegalStateException("cannot resize " + folder + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot resize " + folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while resizing " + folder, e);
        }
    }

    /** Releases the file system. It disappears when no process inside is alive. */
    @Override
    public void close() {
        holder.destroyForcibly();
        try {
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}

package dev.jono.testkit.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** A program that tests start: finds its file, and skips or fails the test if there is none. */
public final class ServerBinary {
    private final String name;

    private ServerBinary(String name) {
        this.name = name;
    }

    /** The program of this file name. */
    public static ServerBinary named(String name) {
        return new ServerBinary(name);
    }

    /** Finds the file on the {@code PATH}, otherwise in {@code bin} of the cache folder; empty if it is in neither. */
    public Optional<Path> find() {
        String path = System.getenv().getOrDefault("PATH", "");
        return java.util.stream.Stream.concat(
                        Arrays.stream(path.split(File.pathSeparator, -1))
                                .filter(folder -> !folder.isEmpty())
                                .map(Path::of),
                        java.util.stream.Stream.of(cache().resolve("bin")))
                .map(folder -> folder.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /**
     * Finds the file.
     *
     * @throws TestAbortedException if there is none, so that the test is skipped with the reason
     * @throws AssertionError instead, if the environment variable {@code JONO_TEST_REQUIRE} names the program
     */
    public Path require() {
        return find().orElseThrow(() -> missing(
                name, "no " + name + " on the PATH or in " + cache().resolve("bin") + "; ./test installs one there"));
    }

    /** The folder that {@code ./test} fills: {@code JONO_TEST_CACHE}, by default {@code ~/.cache/jono}. */
    public static Path cache() {
        String explicit = System.getenv("JONO_TEST_CACHE");
        if (explicit != null && !explicit.isEmpty()) {
            return Path.of(explicit);
        }
        String caches = System.getenv("XDG_CACHE_HOME");
        return caches != null && !caches.isEmpty()
                ? Path.of(caches, "jono")
                : Path.of(System.getProperty("user.home"), ".cache", "jono");
    }

    /**
     * The exception to throw if something that a test needs is missing: it skips the test, or fails it if
     * {@code JONO_TEST_REQUIRE} names what is missing.
     *
     * @param what its name in {@code JONO_TEST_REQUIRE}, a comma-separated list
     * @param reason for the test report
     */
    public static RuntimeException missing(String what, String reason) {
        return missing(what, reason, null);
    }

    static RuntimeException missing(String what, String reason, @Nullable Throwable cause) {
        List<String> required =
                List.of(System.getenv().getOrDefault("JONO_TEST_REQUIRE", "").split(",", -1));
        if (required.contains(what)) {
            throw new AssertionError(reason + " (JONO_TEST_REQUIRE names " + what + ")", cause);
        }
        return new TestAbortedException(reason, cause);
    }
}

package dev.jono.e2e.keuss;

import dev.jono.testkit.server.ServerBinary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** Installs keuss from npm once, into the cache folder of the tests, in the version of the lock file. */
final class KeussInstallation {
    private static final String NAME = "keuss-2.0.6";

    /** The reason if the installation failed, so that later tests do not wait for npm again. */
    private static @Nullable String missing;

    private KeussInstallation() {}

    /**
     * The folder that contains the driver and the installed keuss.
     *
     * @throws org.opentest4j.TestAbortedException if there is no Node, or npm cannot install: the test is skipped
     */
    static synchronized Path require() {
        if (missing != null) {
            throw new TestAbortedException(missing);
        }
        try {
            return installed();
        } catch (TestAbortedException e) {
            missing = e.getMessage();
            throw e;
        }
    }

    private static Path installed() {
        ServerBinary.named("node").require();
        Path npm = ServerBinary.named("npm").require();
        try {
            Path folder = Files.createDirectories(ServerBinary.cache().resolve(NAME));
            // Other JVMs may install it at the same time.
            try (FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                install(npm, folder);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot install keuss", e);
        }
    }

    private static void install(Path npm, Path folder) throws IOException {
        copy("driver.js", folder);
        Path lockFile = folder.resolve("package-lock.json");
        Path installed = folder.resolve("installed-lock.json");
        copy("package.json", folder);
        copy("package-lock.json", folder);
        if (Files.exists(installed) && Files.mismatch(installed, lockFile) < 0) {
            return;
        }
        Path log = folder.resolve("npm.log");
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        npm.toString(),
                        "ci",
                        "--omit=optional",
                        "--no-audit",
                        "--no-fund",
                        "--ignore-scripts",
                        "--fetch-retries=1",
                        "--fetch-timeout=20000"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        putOnPath(builder.environment());
        Process process = builder.start();
        try {
            if (!process.waitFor(110, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                String error = Files.readString(log)
                        .lines()
                        .filter(line -> line.startsWith("npm error"))
                        .findFirst()
                        .orElse("it does not end");
                throw ServerBinary.missing("keuss", "npm cannot install keuss: " + error + "; see " + log);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while npm installed keuss", e);
        }
        Files.copy(lockFile, installed, StandardCopyOption.REPLACE_EXISTING);
    }

    /** npm is a script that looks for node on the path. */
    static void putOnPath(Map<String, String> environment) {
        Path bin = ServerBinary.named("node").require().getParent();
        environment.merge("PATH", String.valueOf(bin), (path, added) -> path + ":" + added);
    }

    private static void copy(String resource, Path folder) throws IOException {
        try (InputStream in = KeussInstallation.class.getResourceAsStream("/keuss/" + resource)) {
            if (in == null) {
                throw new IllegalStateException("no test resource keuss/" + resource);
            }
            Path target = folder.resolve(resource);
            byte[] content = in.readAllBytes();
            if (!Files.exists(target) || !Arrays.equals(Files.readAllBytes(target), content)) {
                Files.write(target, content); // not always: a process of another JVM may be reading it
            }
        }
    }
}

package dev.jono.dashboard;

import dev.jono.testkit.server.ServerBinary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real Kue, which npm installs once into the cache folder of the tests, as {@code benchmarks/compare} does. */
final class KueInstallation {
    private static final Path PACKAGE = Path.of("../benchmarks/peers/kue");

    private final Path folder;

    private KueInstallation(Path folder) {
        this.folder = folder;
    }

    /**
     * Installs it if it is not there.
     *
     * @throws org.opentest4j.TestAbortedException if there is no Node, or npm cannot install it: the test is skipped. It fails if {@code
     *     JONO_TEST_REQUIRE} names {@code kue}
     */
    static KueInstallation require() {
        Path npm = program("npm");
        try {
            Path folder = Files.createDirectories(ServerBinary.cache().resolve("compare-kue"));
            // Other JVMs may install it at the same time.
            try (FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                channel.lock();
                install(npm, folder);
            }
            return new KueInstallation(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot install Kue", e);
        }
    }

    private static Path program(String name) {
        return ServerBinary.named(name)
                .find()
                .orElseThrow(() -> ServerBinary.missing("kue", "no " + name + " for Kue; ./test installs one"));
    }

    private static void install(Path npm, Path folder) throws IOException {
        Path lockFile = PACKAGE.resolve("package-lock.json");
        Path installed = folder.resolve("installed-lock.json");
        if (Files.exists(installed) && Files.mismatch(installed, lockFile) < 0) {
            return;
        }
        for (String file : List.of("package.json", "package-lock.json")) {
            Files.copy(PACKAGE.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        String problem = run(
                folder,
                npm.toString(),
                "install",
                "--omit=optional",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--fetch-retries=1");
        if (!Files.exists(folder.resolve("node_modules/kue/package.json"))) {
            throw ServerBinary.missing("kue", "npm cannot install Kue: " + problem);
        }
        Files.copy(lockFile, installed, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Runs a command. Returns what it has written. */
    private static String run(Path folder, String... command) throws IOException {
        Path out = Files.createTempFile("jono-kue", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        // npm is a script that looks for node on the path.
        String bin = String.valueOf(program("node").getParent());
        builder.environment().merge("PATH", bin, (path, added) -> path + ":" + added);
        Process process = builder.start();
        try {
            if (!process.waitFor(110, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            return Files.readString(out, StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            Files.deleteIfExists(out);
        }
    }

    /** Kue's own page for a state, as its server renders it. */
    String page(String state, List<String> types) {
        List<String> command = new ArrayList<>(List.of(
                program("node").toString(),
                "-e",
                "const [folder, state, ...types] = process.argv.slice(1);"
                        + "const load = require('module').createRequire(folder + '/');"
                        + "process.stdout.write(load('pug').renderFile(folder + '/node_modules/kue/lib/http/views/job/list.pug',"
                        + " { state, types, title: 'Kue' }));",
                folder.toString(),
                state));
        command.addAll(types);
        try {
            return run(folder, command.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder with the scripts and style sheets of the page. */
    Path files() {
        return folder.resolve("node_modules/kue/lib/http/public");
    }
}

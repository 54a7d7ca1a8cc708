package dev.jono.e2e;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The release that this source tree gives: a folder in the layout of a Maven repository, with what would be uploaded to
 * Maven Central.
 *
 * <p>The first test that asks for it builds it in another folder, from a copy of the sources, with the command of
 * RELEASING.md. Its version is the one that is being built, without {@code -SNAPSHOT}. That build runs no tests and installs
 * nothing. The goals {@code deploy} and {@code cyclonedx:makeBom} refuse to run offline, so this Maven is online. It fetches
 * only the plugins and libraries that the local repository lacks.
 */
final class StagedRelease {
    /** The version of the release. */
    static final String VERSION = Checkout.VERSION.replaceFirst("-SNAPSHOT$", "");

    /** The time limit of a test that may have to wait until it is built. */
    static final long SECONDS = 900;

    private static final long MINUTES = 14;

    private static @Nullable Path folder;

    private StagedRelease() {}

    /** The repository. */
    static synchronized Path folder() throws IOException, InterruptedException {
        if (folder == null) {
            Path staged = Path.of("target/staging").toAbsolutePath();
            delete(staged);
            build(staged);
            folder = staged;
        }
        return folder;
    }

    private static void build(Path staged) throws IOException, InterruptedException {
        Path tree = Path.of("target/staging-tree").toAbsolutePath();
        delete(tree);
        copySources(Checkout.root(), tree);
        List<String> command = MavenProcess.command(Path.of(System.getProperty("jono.localRepository")));
        command.addAll(List.of("-ntp", "-T", "2", "-Prelease", "-Drevision=" + VERSION));
        command.addAll(
                List.of("-Dmaven.test.skip", "-Dspotless.check.skip", "-Derrorprone.skip", "-Dmaven.install.skip"));
        command.add("deploy");
        MavenProcess.run(tree, command, Path.of("target/staging.log"), MINUTES);
        Files.move(tree.resolve("target/staging"), staged);
        delete(tree);
    }

    private static void copySources(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (folder.endsWith("target") || folder.endsWith(".git")) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

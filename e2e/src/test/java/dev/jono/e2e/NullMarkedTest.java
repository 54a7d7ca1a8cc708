package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each package of all modules is annotated as null-marked. */
class NullMarkedTest {
    @Test
    void everyPackageIsNullMarked() throws IOException {
        List<Path> modules = modules();
        assertThat(modules)
                .extracting(m -> m.getFileName().toString())
                .contains("api", "backend-sqlite", "cli", "testkit", "benchmarks", "examples", "e2e");
        for (Path module : modules) {
            assertThat(packages(module.resolve("src/main/java")))
                    .allSatisfy(p ->
                            assertThat(isMarked(p)).as("%s of %s", p, module).isTrue());
            // A test shares the package of what it tests.
            Path main = module.resolve("src/main/java");
            Path test = module.resolve("src/test/java");
            assertThat(packages(test))
                    .allSatisfy(p -> assertThat(isMarked(p) || isMarked(main.resolve(test.relativize(p))))
                            .as("%s of %s", p, module)
                            .isTrue());
        }
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> all = Files.walk(Checkout.root(), 2)) {
            return all.filter(p -> Files.exists(p.resolve("pom.xml")) && Files.isDirectory(p.resolve("src")))
                    .toList();
        }
    }

    /** The folders that hold classes. */
    private static List<Path> packages(Path sources) throws IOException {
        if (!Files.isDirectory(sources)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(sources)) {
            return all.filter(Files::isDirectory)
                    .filter(NullMarkedTest::holdsClasses)
                    .toList();
        }
    }

    private static boolean holdsClasses(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString())
                    .anyMatch(f -> f.endsWith(".java") && !f.equals("module-info.java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isMarked(Path folder) {
        Path info = folder.resolve("package-info.java");
        try {
            return Files.exists(info) && Files.readString(info).contains("@NullMarked");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

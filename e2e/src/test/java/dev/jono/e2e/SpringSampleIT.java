package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.server.RedisServer;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the tests of the Spring sample on other versions of Spring Boot than its own, with the libraries that it manages. The compiled sample is that of
 * this build. The tests drive it over HTTP, and end it by SIGTERM under load.
 */
@Tag("release")
@Execution(ExecutionMode.CONCURRENT) // it mostly waits for starts and for messages
@Timeout(330)
class SpringSampleIT {
    private static final List<String> OURS = List.of(
            "jono-backend-sqlite",
            "jono-jobs-sqlite",
            "jono-redis",
            "jono-dashboard",
            "jono-micrometer",
            "jono-testkit");
    private static final String PACKAGE = "dev.jono.spring.sample.";
    private static final long SECONDS = 300;

    @TempDir
    static Path directory;

    private static ForeignMaven maven;
    private static Map<String, List<Path>> libraries;

    @BeforeAll
    @Timeout(StagedRelease.SECONDS)
    static void resolve() throws Exception {
        maven = new ForeignMaven(directory);
        Map<String, String> poms = new LinkedHashMap<>();
        for (SpringBootVersion version : EnumSet.complementOf(EnumSet.of(SpringBootVersion.V4_1))) {
            poms.put(version.number, version.webApplication(OURS));
        }
        libraries = maven.classPaths(poms);
    }

    @AfterAll
    static void cleanUp() throws Exception {
        maven.close();
    }

    /** The sample's own tests run with the version that is left out. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "V4_1")
    void theSampleWorks(SpringBootVersion version) throws Exception {
        Path sample = Checkout.root().resolve("spring/sample/target");
        List<Path> classPath = new ArrayList<>(List.of(
                Path.of("target/test-classes").toAbsolutePath(),
                sample.resolve("test-classes"),
                sample.resolve("classes")));
        classPath.addAll(libraries.getOrDefault(version.number, List.of()));
        assertThat(classPath).as("that version").anyMatch(jar -> jar.endsWith("spring-boot-" + version + ".jar"));
        List<String> arguments = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                String.join(
                        File.pathSeparator,
                        classPath.stream().map(Path::toString).toList()),
                TestRun.class.getName(),
                PACKAGE + "ShopTest",
                PACKAGE + "ShopShutdownTest");
        Map<String, String> servers = Map.of("JONO_TEST_REDIS", RedisServer.sharedUri());
        try (JavaProcess tests = JavaProcess.start(directory, servers, arguments)) {
            tests.succeeds(SECONDS);
            assertThat(tests.output()).containsPattern("[6-9] successful, 0 failed\\s*$");
        }
    }
}

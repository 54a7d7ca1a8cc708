package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the jars of this build with the library versions that Spring Boot manages, although they are compiled against
 * other versions. Each version runs in its own JVM, on the class path that Maven resolves for an application. Lettuce,
 * Netty, the MongoDB driver, Jackson, Caffeine, SLF4J and sqlite-jdbc come from Spring Boot; JUnit comes from this
 * build. A sqlite-jdbc that Jono refuses is replaced, as an application has to do.
 */
@Execution(ExecutionMode.CONCURRENT) // the tests mostly wait for leases
@Timeout(360)
class SpringBootIT {
    private static final List<String> VERSIONS = List.of("3.5.7", "4.0.7", "4.1.2");

    /** The versions whose SQLite is too old for Jono, so that an application must choose a newer one. */
    private static final List<String> OLD_SQLITE = List.of("3.5.7", "4.0.7");

    private static final String OWN = "Jono";
    private static final List<String> OURS = List.of("jono-backend-sqlite", "jono-redis", "jono-mongo", "jono-testkit");
    private static final long SECONDS = 240;

    @TempDir
    static Path directory;

    private static ForeignMaven maven;
    private static Shop shop;
    private static Map<String, List<Path>> libraries;
    private static Path application;

    @BeforeAll
    @Timeout(StagedRelease.SECONDS)
    static void resolve() throws Exception {
        maven = new ForeignMaven(directory);
        shop = new Shop(directory);
        Map<String, String> poms = new LinkedHashMap<>();
        for (String version : VERSIONS) {
            poms.put(version, pom(version));
        }
        poms.put(OWN, ForeignMaven.dependenciesOn(OURS, ""));
        libraries = maven.classPaths(poms);
        application = shop.compile("application", libraries(VERSIONS.get(0)));
    }

    @AfterAll
    static void cleanUp() throws IOException {
        shop.close();
        maven.close();
    }

    private static String pom(String version) throws IOException {
        String sqlite = OLD_SQLITE.contains(version)
                ? "<sqlite-jdbc.version>" + Checkout.property("backend-sqlite/pom.xml", "sqlite-jdbc.version")
                        + "</sqlite-jdbc.version>"
                : "";
        return """
                <parent>
                  <groupId>org.springframework.boot</groupId>
                  <artifactId>spring-boot-starter-parent</artifactId>
                  <version>%s</version>
                  <relativePath/>
                </parent>
                <properties>%s<junit-jupiter.version>%s</junit-jupiter.version></properties>
                """.formatted(version, sqlite, Checkout.property("pom.xml", "junit.version"))
                + ForeignMaven.dependenciesOn(OURS, """
                        <dependency>
                          <groupId>org.junit.platform</groupId><artifactId>junit-platform-launcher</artifactId>
                        </dependency>
                        """);
    }

    private static List<Path> libraries(String version) {
        return libraries.getOrDefault(version, List.of());
    }

    static Stream<String> versions() {
        return VERSIONS.stream();
    }

    private static List<String> classPath(String version, Path classes) {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                classes + File.pathSeparator + Shop.joined(libraries(version)));
    }

    private static List<String> ours(String version) {
        return libraries(version).stream()
                .map(Path::toString)
                .filter(jar -> jar.matches(".*/jono-[^/]*\\.jar") && !jar.contains("jono-testkit"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyClassLinks(String version) throws Exception {
        List<String> arguments = new ArrayList<>(classPath(version, Path.of("target/test-classes")));
        arguments.add(LinkCheck.class.getName());
        arguments.addAll(ours(version));
        try (JavaProcess check = JavaProcess.start(directory, Map.of(), arguments)) {
            check.succeeds(SECONDS);
            assertThat(check.output()).matches("\\d{5,} members checked\\s*");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void contractsHold(String version) throws Exception {
        List<String> arguments = new ArrayList<>(classPath(version, Path.of("target/test-classes")));
        arguments.add(ShortContracts.class.getName());
        Map<String, String> servers = Map.of(
                "JONO_TEST_REDIS", RedisServer.sharedUri(), "JONO_TEST_MONGO", MongoReplicaSet.sharedUri("admin"));
        try (JavaProcess contracts = JavaProcess.start(directory, servers, arguments)) {
            contracts.succeeds(SECONDS);
            assertThat(contracts.output()).matches("[3-9]\\d\\d successful, 0 failed\\s*");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void processesShareQueues(String version) throws Exception {
        List<String> java = new ArrayList<>(classPath(version, application));
        java.add("com.example.shop.Shop");
        for (String backend : List.of("sqlite", "redis-oq", "redis-list", "mongo", "bucket-mongo-safe")) {
            shop.run(backend, java);
        }
    }

    @Test
    void documentationNamesTheVersions() throws Exception {
        StringBuilder table = new StringBuilder(row(OWN, OWN));
        for (int i = VERSIONS.size() - 1; i >= 0; i--) {
            table.append(row("Spring Boot " + VERSIONS.get(i), VERSIONS.get(i)));
        }
        assertThat(Files.readString(Checkout.root().resolve("docs/configuration.md")))
                .contains(table);
    }

    private static String row(String name, String version) {
        String own = OLD_SQLITE.contains(version) ? " (set by the application)" : "";
        return Stream.of(
                        "lettuce-core",
                        "netty-common",
                        "mongodb-driver-sync",
                        "jackson-databind",
                        "caffeine",
                        "slf4j-api",
                        "sqlite-jdbc")
                .map(artifact -> versionOf(artifact, version))
                .collect(Collectors.joining(" | ", "| " + name + " | ", own + " |\n"));
    }

    private static String versionOf(String artifact, String version) {
        return libraries(version).stream()
                .map(jar -> jar.getFileName().toString())
                .filter(jar -> jar.matches(artifact + "-\\d.*\\.jar"))
                .map(jar -> jar.substring(artifact.length() + 1, jar.length() - ".jar".length()))
                .findFirst()
                .orElse("missing");
    }
}

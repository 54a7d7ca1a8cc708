package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.PostgresServer;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs the jars of this build with the library versions that Spring Boot manages, although they are compiled against
 * other versions. Each version runs in its own JVM, on the class path that Maven resolves for an application. Lettuce,
 * Netty, the drivers of MongoDB and PostgreSQL, HikariCP, Jackson, Caffeine, SLF4J and sqlite-jdbc come from Spring Boot;
 * JUnit comes from this build. A sqlite-jdbc that Jono refuses is replaced, as an application has to do.
 */
@Tag("release")
@Execution(ExecutionMode.CONCURRENT) // the tests mostly wait for leases
@Timeout(360)
class SpringBootIT {
    private static final String OWN = "Jono";
    private static final List<String> OURS =
            List.of("jono-backend-sqlite", "jono-redis", "jono-mongo", "jono-postgres", "jono-testkit");
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
        for (SpringBootVersion version : SpringBootVersion.values()) {
            poms.put(version.number, version.pom(OURS, List.of()));
        }
        poms.put(OWN, ForeignMaven.dependenciesOn(OURS, ""));
        libraries = maven.classPaths(poms);
        application = shop.compile("application", libraries(SpringBootVersion.V3_5.number));
    }

    @AfterAll
    static void cleanUp() throws IOException {
        shop.close();
        maven.close();
    }

    private static List<Path> libraries(String version) {
        return libraries.getOrDefault(version, List.of());
    }

    private static List<String> classPath(SpringBootVersion version, Path classes) {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                classes + File.pathSeparator + Shop.joined(libraries(version.number)));
    }

    private static List<String> ours(SpringBootVersion version) {
        return libraries(version.number).stream()
                .map(Path::toString)
                .filter(jar -> jar.matches(".*/jono-[^/]*\\.jar") && !jar.contains("jono-testkit"))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void everyClassLinks(SpringBootVersion version) throws Exception {
        List<String> arguments = new ArrayList<>(classPath(version, Path.of("target/test-classes")));
        arguments.add(LinkCheck.class.getName());
        arguments.addAll(ours(version));
        try (JavaProcess check = JavaProcess.start(directory, Map.of(), arguments)) {
            check.succeeds(SECONDS);
            assertThat(check.output()).matches("\\d{5,} members checked\\s*");
        }
    }

    /** The version in between links, which is tested too, and uses libraries between those of these two. */
    @ParameterizedTest
    @EnumSource(names = {"V3_5", "V4_1"})
    void contractsHold(SpringBootVersion version) throws Exception {
        List<String> arguments = new ArrayList<>(classPath(version, Path.of("target/test-classes")));
        arguments.add(ShortContracts.class.getName());
        Map<String, String> servers = Map.of(
                "JONO_TEST_REDIS", RedisServer.sharedUri(),
                "JONO_TEST_MONGO", MongoReplicaSet.sharedUri("admin"),
                "JONO_TEST_POSTGRES", PostgresServer.sharedUrl());
        try (JavaProcess contracts = JavaProcess.start(directory, servers, arguments)) {
            contracts.succeeds(SECONDS);
            assertThat(contracts.output()).matches("(9\\d|1\\d\\d)\\d successful, 0 failed\\s*");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V3_5", "V4_1"})
    void processesShareQueues(SpringBootVersion version) throws Exception {
        List<String> java = new ArrayList<>(classPath(version, application));
        java.add("com.example.shop.Shop");
        for (String backend : List.of("sqlite", "redis-oq", "redis-list", "mongo", "bucket-mongo-safe", "postgres")) {
            shop.run(backend, java);
        }
    }

    @Test
    void documentationNamesTheVersions() throws Exception {
        StringBuilder table = new StringBuilder(row(OWN, OWN, ""));
        SpringBootVersion[] versions = SpringBootVersion.values();
        for (int i = versions.length - 1; i >= 0; i--) {
            table.append(row(
                    "Spring Boot " + versions[i],
                    versions[i].number,
                    versions[i].oldSqlite ? " (set by the application)" : ""));
        }
        assertThat(Files.readString(Checkout.root().resolve("docs/configuration.md")))
                .contains(table);
    }

    private static String row(String name, String version, String aboutSqlite) {
        return Stream.of(
                        "lettuce-core",
                        "netty-common",
                        "mongodb-driver-sync",
                        "postgresql",
                        "HikariCP",
                        "jackson-databind",
                        "caffeine",
                        "slf4j-api",
                        "sqlite-jdbc")
                .map(artifact -> versionOf(artifact, version))
                .collect(Collectors.joining(" | ", "| " + name + " | ", aboutSqlite + " |\n"));
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

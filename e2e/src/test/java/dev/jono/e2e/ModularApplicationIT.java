package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A modular application runs on every backend, with its default signaller and stats. It requires only {@code dev.jono}.
 * The module path contains what Maven resolves for one artifact of Jono, and the JVM needs no options.
 */
@Tag("release")
@Timeout(360)
class ModularApplicationIT {
    private static final String MAIN = "com.example.shop/com.example.shop.Shop";

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
        String logging = "<dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>"
                + Checkout.property("pom.xml", "slf4j.version") + "</version></dependency>";
        libraries = maven.classPaths(Stream.of("jono-api", "jono-backend-sqlite", "jono-redis", "jono-mongo")
                .collect(Collectors.toMap(
                        artifact -> artifact, artifact -> ForeignMaven.dependenciesOn(List.of(artifact), logging))));
        application = shop.compile("application", libraries("jono-api"), Shop.SOURCES.resolve("module-info.java"));
    }

    @AfterAll
    static void cleanUp() throws IOException {
        shop.close();
        maven.close();
    }

    private static List<Path> libraries(String artifact) {
        return libraries.getOrDefault(artifact, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "memory, jono-api, local, mem",
        "sqlite, jono-backend-sqlite, sqlite, sqlite",
        "redis-oq, jono-redis, redis-pubsub, redis",
        "redis-list, jono-redis, redis-pubsub, redis",
        "mongo, jono-mongo, mongo-capped, mongo",
        "ps-mongo, jono-mongo, mongo-capped, mongo",
        "pl-mongo, jono-mongo, mongo-capped, mongo",
        "bucket-mongo-safe, jono-mongo, mongo-capped, mongo",
        "bucket-mongo, jono-mongo, mongo-capped, mongo"
    })
    void runsOnEveryBackend(String backend, String artifact, String signaller, String stats) throws Exception {
        String path = application + File.pathSeparator + Shop.joined(libraries(artifact));
        String log = shop.run(backend, List.of("-p", path, "-m", MAIN));
        assertThat(log)
                .contains("signaller " + signaller + ":, stats " + stats + ":")
                .doesNotContainIgnoringCase("exception");
    }

    @Test
    void pushOfAClassInAClosedPackageSaysWhatToOpen() throws Exception {
        Path descriptor =
                Files.createDirectory(directory.resolve("closed-source")).resolve("module-info.java");
        Files.writeString(descriptor, "module com.example.shop { requires dev.jono; }");
        Path closed = shop.compile("closed", libraries("jono-api"), descriptor);
        String path = closed + File.pathSeparator + Shop.joined(libraries("jono-api"));
        try (JavaProcess producer =
                JavaProcess.start(directory, Map.of(), List.of("-p", path, "-m", MAIN, "produce", "memory:"))) {
            producer.fails(60);
            assertThat(producer.errors())
                    .contains("EncodingException: push to queue 'orders'")
                    .contains("does not \"opens com.example.shop\" to module com.fasterxml.jackson.databind");
        }
    }
}

package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
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
 * Runs the tests of the Spring sample on other versions of Spring Boot than its own, with the libraries that it manages, and on the
 * application's own MongoDB and PostgreSQL. The compiled sample is that of this build. The tests drive it over HTTP, and end it by
 * SIGTERM under load.
 */
@Tag("release")
@Execution(ExecutionMode.CONCURRENT) // it mostly waits for starts and for messages
@Timeout(330)
class SpringSampleIT {
    private static final List<String> ALWAYS = List.of("jono-dashboard", "jono-micrometer", "jono-testkit");
    private static final String PACKAGE = "dev.jono.spring.sample.";
    private static final String OWN =
            "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    private static final long SECONDS = 300;

    private static final Place REDIS = new Place(
            "redis",
            "spring-boot-starter-data-redis",
            List.of("jono-backend-sqlite", "jono-jobs-sqlite", "jono-redis"));
    private static final Place MONGO = new Place("mongo", "spring-boot-starter-data-mongodb", List.of("jono-mongo"));
    private static final Place POSTGRES = new Place("postgres", "spring-boot-starter-jdbc", List.of("jono-postgres"));

    /** A storage of applications, with what they add to their class path. */
    private record Place(String name, String starter, List<String> ours) {
        String project(SpringBootVersion version) {
            return version + "-" + name;
        }

        String pom(SpringBootVersion version) throws IOException {
            return version.webApplication(
                    Stream.concat(ALWAYS.stream(), ours.stream()).toList(), starter);
        }
    }

    @TempDir
    static Path directory;

    private static ForeignMaven maven;
    private static Map<String, List<Path>> libraries;

    @BeforeAll
    @Timeout(StagedRelease.SECONDS)
    static void resolve() throws Exception {
        maven = new ForeignMaven(directory);
        Map<String, String> poms = new LinkedHashMap<>();
        for (SpringBootVersion version : SpringBootVersion.values()) {
            for (Place place : List.of(REDIS, MONGO, POSTGRES)) {
                poms.put(place.project(version), place.pom(version));
            }
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
        run(version, REDIS, List.of(), PACKAGE + "ShopTest", PACKAGE + "ShopShutdownTest");
    }

    @ParameterizedTest
    @EnumSource
    void theSampleWorksOnTheMongoDbOfTheApplication(SpringBootVersion version) throws Exception {
        String database = OWN + "_" + version.name();
        String uri = MongoReplicaSet.sharedUri(database);
        try (MongoClient client = MongoClients.create(uri)) {
            // the first one is of Spring Boot 3
            shop(version, MONGO, "--spring.data.mongodb.uri=" + uri + " --spring.mongodb.uri=" + uri);
            assertThat(client.getDatabase(database).listCollectionNames()).contains("orders");
            client.getDatabase(database).drop();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSampleWorksOnThePostgresqlOfTheApplication(SpringBootVersion version) throws Exception {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            shop(
                    version,
                    POSTGRES,
                    "--spring.datasource.url=" + schema.jdbcUrl() + " --jono.options.schema=" + schema.name());
        }
    }

    private static void shop(SpringBootVersion version, Place place, String storage) throws Exception {
        List<String> properties = List.of("-Dshop.backend=" + place.name(), "-Dshop.storage=--jono.url= " + storage);
        run(version, place, properties, PACKAGE + "ShopTest");
    }

    private static void run(SpringBootVersion version, Place place, List<String> properties, String... tests)
            throws Exception {
        Path sample = Checkout.root().resolve("spring/sample/target");
        List<Path> classPath = new ArrayList<>(List.of(
                Path.of("target/test-classes").toAbsolutePath(),
                sample.resolve("test-classes"),
                sample.resolve("classes")));
        classPath.addAll(libraries.getOrDefault(place.project(version), List.of()));
        assertThat(classPath).as("that version").anyMatch(jar -> jar.endsWith("spring-boot-" + version + ".jar"));
        List<String> arguments = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + directory, "-cp", Shop.joined(classPath)));
        arguments.addAll(properties);
        arguments.add(TestRun.class.getName());
        arguments.addAll(List.of(tests));
        try (JavaProcess process = JavaProcess.start(directory, Map.of(), arguments)) {
            process.succeeds(SECONDS);
            assertThat(process.output()).containsPattern("[6-9] successful, 0 failed\\s*$");
        }
    }
}

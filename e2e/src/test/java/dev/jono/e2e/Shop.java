package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TestSchema;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A small foreign application ({@code src/test/resources/shop}), compiled against the API only. One process pushes;
 * another one, which never polls, takes. The first sees the counters of the second. Runs may overlap.
 */
final class Shop implements AutoCloseable {
    /** Its sources. */
    static final Path SOURCES = Path.of("src/test/resources/shop");

    private static final long SECONDS = 90;

    private final Path directory;
    private final List<String> databases = new CopyOnWriteArrayList<>();
    private final List<TestSchema> schemas = new CopyOnWriteArrayList<>();

    /** Creates its files in an existing folder. */
    Shop(Path directory) {
        this.directory = directory;
    }

    /**
     * Compiles the application.
     *
     * @param name of the folder for its classes
     * @param descriptor its {@code module-info.java} for a module, otherwise null
     */
    Path compile(String name, List<Path> libraries, Path... descriptor) {
        Path classes = directory.resolve(name);
        List<String> arguments = new ArrayList<>(List.of("--release", "17", "-d", classes.toString()));
        arguments.addAll(List.of(descriptor.length == 0 ? "-cp" : "-p", joined(libraries)));
        Stream.concat(Stream.of(descriptor), Stream.of(SOURCES.resolve("com/example/shop/Shop.java")))
                .forEach(source -> arguments.add(source.toString()));
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        int result = ToolProvider.findFirst("javac").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        assertThat(result).as(messages.toString()).isZero();
        return classes;
    }

    /**
     * Runs the application on new queues.
     *
     * @param backend its name
     * @param java the arguments of {@code java}, up to the main class
     * @return the logs
     */
    String run(String backend, List<String> java) throws IOException, InterruptedException {
        String url = url(backend);
        if (backend.equals("memory")) {
            try (JavaProcess both = start(java, "both", url)) {
                both.succeeds(SECONDS);
                return both.errors();
            }
        }
        try (JavaProcess consumer = start(java, "consume", url);
                JavaProcess producer = start(java, "produce", url)) {
            try {
                producer.succeeds(SECONDS);
            } catch (AssertionError failure) {
                failure.addSuppressed(new AssertionError("the consumer: " + consumer.output() + consumer.errors()));
                throw failure;
            }
            consumer.succeeds(SECONDS);
            return producer.errors() + consumer.errors();
        }
    }

    private JavaProcess start(List<String> java, String role, String url) throws IOException {
        List<String> arguments = new ArrayList<>(java);
        arguments.addAll(List.of(role, url));
        return JavaProcess.start(directory, Map.of(), arguments);
    }

    private String url(String backend) {
        String name = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
        if (backend.equals("memory")) {
            return "memory:" + name;
        }
        if (backend.equals("sqlite")) {
            return "sqlite:" + directory.resolve(name + ".db");
        }
        if (backend.startsWith("redis-")) {
            return backend + ":" + RedisServer.sharedUri() + "?jono.prefix=" + name;
        }
        if (backend.equals("postgres")) {
            TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
            schemas.add(schema);
            return schema.jonoUrl();
        }
        databases.add(name);
        String uri = MongoReplicaSet.sharedUri(name);
        return backend + ":" + uri + (uri.contains("?") ? "&" : "?") + "jono.one-database=true";
    }

    static String joined(List<Path> path) {
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Drops its databases and schemas. */
    @Override
    public void close() {
        schemas.forEach(TestSchema::close);
        if (!databases.isEmpty()) {
            try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"))) {
                databases.forEach(name -> client.getDatabase(name).drop());
            }
        }
    }
}

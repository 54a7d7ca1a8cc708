package dev.jono.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.ServerBinary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * keuss, the Node library whose layouts Jono shares, as a side of a comparison. It runs {@code keuss.js} in a process
 * of its own.
 */
final class KeussProcess implements QueueClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path script = Files.createTempFile("keuss", ".js");
    private final ChildProcess child;
    private final String queue;
    private final int width;
    private final boolean bucket;

    /**
     * Starts keuss on a Redis.
     *
     * @param width calls in flight
     */
    KeussProcess(RedisServer redis, String backend, String queue, int width) throws IOException {
        this(Integer.toString(redis.port()), backend, queue, width);
    }

    /**
     * Starts keuss.
     *
     * @param server the port of a Redis, or the URI of a MongoDB database
     * @param width calls in flight
     */
    KeussProcess(String server, String backend, String queue, int width) throws IOException {
        this.queue = queue;
        this.width = width;
        this.bucket = backend.startsWith("bucket");
        try (InputStream in = Objects.requireNonNull(KeussProcess.class.getResourceAsStream("keuss.js"))) {
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        this.child = new ChildProcess(List.of(
                ServerBinary.named("node").require().toString(),
                script.toString(),
                installation().toString(),
                server,
                backend,
                queue));
        child.line();
    }

    /** Returns the folder into which the tests of {@code e2e} install keuss. */
    private static Path installation() throws IOException {
        Path folder = ServerBinary.cache().resolve("keuss-2.0.6");
        if (!Files.isDirectory(folder.resolve("node_modules/keuss"))) {
            throw new IOException("keuss is not in " + folder + "; the tests install it: ./test -pl e2e -am");
        }
        return folder;
    }

    @Override
    public String queue() {
        return queue;
    }

    /** keuss writes a bucket half a second after its first message. */
    @Override
    public Duration writeDelay() {
        return bucket ? Duration.ofSeconds(2) : Duration.ZERO;
    }

    /** Prepares an operation, which {@link #go} starts. */
    void prepare(Map<String, ?> command) throws IOException {
        child.send(JSON.writeValueAsString(command));
        child.line();
    }

    void go() {
        child.send("{\"op\":\"go\"}");
    }

    /** Waits for the next line of the process and returns it. */
    String line() throws IOException {
        return child.line();
    }

    @Override
    public void prepare(Step step, NumberedMessages messages) throws IOException {
        String op = switch (step) {
            case PUSH -> "push";
            case POP -> "pop";
            case RESERVE_ACK -> "reserve";
        };
        prepare(Map.of("op", op, "total", messages.count(), "width", width));
    }

    /** The process itself checks that each message arrives once. */
    @Override
    public void run(Step step, NumberedMessages messages) throws IOException {
        go();
        JsonNode answer = JSON.readTree(child.line());
        if (answer.path("done").asInt() != messages.count()
                || answer.path("wrong").asInt() != 0) {
            throw new IllegalStateException("keuss: " + answer);
        }
        if (step != Step.PUSH) {
            messages.payloads.forEach(messages::arrived);
        }
    }

    /** Runs the prepared pass through the pipeline. The process itself checks that each message arrives once. */
    void runPipeline(NumberedMessages messages) throws IOException {
        run(Step.POP, messages);
    }

    @Override
    public void close() throws IOException {
        child.close();
        Files.delete(script);
    }
}

package dev.jono.e2e.keuss;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.testkit.server.ServerBinary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A Node process that runs keuss, and executes the operations of {@code driver.js}. It ends with this
 * object, and with this JVM. Thread-safe.
 */
final class Keuss implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final long PATIENCE_SECONDS = 40;

    private final Process process;
    private final Writer input;
    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final ConcurrentLinkedDeque<String> problems = new ConcurrentLinkedDeque<>();
    private final AtomicLong ids = new AtomicLong();

    private Keuss(Process process) {
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Starts a process.
     *
     * @throws org.opentest4j.TestAbortedException if Node or keuss is not available, so that the test is skipped
     */
    static Keuss start() {
        Path folder = KeussInstallation.require();
        String node = ServerBinary.named("node").require().toString();
        try {
            // Newer versions of Node warn that keuss, when it is late, waits for a negative time.
            Keuss keuss = new Keuss(new ProcessBuilder(List.of(node, "--no-warnings", "driver.js"))
                    .directory(folder.toFile())
                    .start());
            keuss.read(keuss.process.inputReader(StandardCharsets.UTF_8), keuss::answered);
            keuss.read(
                    new BufferedReader(new InputStreamReader(keuss.process.getErrorStream(), StandardCharsets.UTF_8)),
                    keuss.problems::add);
            return keuss;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + node, e);
        }
    }

    private void read(BufferedReader stream, Consumer<String> to) {
        Thread reader = new Thread(
                () -> {
                    try (stream) {
                        for (String line = stream.readLine(); line != null; line = stream.readLine()) {
                            to.accept(line);
                        }
                    } catch (IOException closed) {
                        problems.add("(the stream failed: " + closed.getMessage() + ")");
                    }
                    pending.values()
                            .forEach(p -> p.completeExceptionally(
                                    new IllegalStateException("Node has ended; its output: " + problems)));
                },
                "keuss-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void answered(String line) {
        try {
            JsonNode answer = JSON.readTree(line);
            if (!answer.has("id")) {
                return;
            }
            CompletableFuture<JsonNode> asked = pending.remove(answer.get("id").asLong());
            if (asked == null) {
                problems.add("an unexpected answer: " + line);
            } else if (answer.has("err")) {
                asked.completeExceptionally(new KeussFailure(answer.get("err").asText()));
            } else {
                asked.complete(answer.get("ok"));
            }
        } catch (IOException e) {
            problems.add("not JSON: " + line);
        }
    }

    /** An error that keuss answered with. */
    static final class KeussFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        KeussFailure(String text) {
            super(text);
        }
    }

    /** Requests an operation of the driver. The future completes with the answer. */
    CompletableFuture<JsonNode> send(String operation, Map<String, ?> arguments) {
        long id = ids.incrementAndGet();
        ObjectNode command = JSON.createObjectNode().put("id", id).put("op", operation);
        arguments.forEach((name, value) -> command.set(name, JSON.valueToTree(value)));
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        try {
            synchronized (input) {
                input.write(command + "\n");
                input.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Node does not read its input; its output: " + problems, e);
        }
        return answer;
    }

    /** As {@link #send}, but waits for the answer. */
    JsonNode call(String operation, Map<String, ?> arguments) {
        return got(send(operation, arguments));
    }

    static JsonNode got(CompletableFuture<JsonNode> answer) {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw e.getCause() instanceof KeussFailure failure ? failure : new IllegalStateException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new AssertionError("keuss does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for keuss", e);
        }
    }

    /**
     * Creates a factory of keuss, with signals and stats on the same server.
     *
     * @param where the {@code port} of a Redis on this host, or the {@code url} of a MongoDB. With {@code postgres}, options of
     *     its driver, only signals and stats are in that Redis
     */
    KeussFactory factory(String backend, String namespace, Map<String, ?> where, Map<String, ?> options) {
        String name = backend + "/" + namespace + "/" + ids.incrementAndGet();
        call("factory", Map.of("factory", name, "backend", backend, "ns", namespace, "where", where, "opts", options));
        return new KeussFactory(this, name);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The standard error of the process, and other unexpected output. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.benchmarks.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A child process of a contestant, as the parent sees it: what {@link ContestantMain} says and understands. One thread asks. */
final class ContestantProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofSeconds(60);

    private final ChildProcess child;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private volatile int settled;

    /** Waits until it is ready. */
    ContestantProcess(ChildProcess child) throws IOException, InterruptedException {
        this.child = child;
        Thread reader = new Thread(this::read, "peer " + child.pid());
        reader.setDaemon(true);
        reader.start();
        try {
            answer(START);
        } catch (Late e) {
            child.kill();
            throw new IOException("the child process does not start", e);
        }
    }

    /** That no answer came in time. */
    static final class Late extends Exception {
        private static final long serialVersionUID = 1;

        Late(Duration limit) {
            super("no answer within " + limit.toSeconds() + " s");
        }
    }

    private void read() {
        try {
            while (true) {
                String line = child.line();
                if (!line.startsWith("{")) {
                    System.err.println(line);
                    continue;
                }
                JsonNode said = JSON.readTree(line);
                if (said.has("settled") && said.size() == 1) {
                    settled = said.path("settled").asInt();
                } else {
                    answers.add(said);
                }
            }
        } catch (IOException ended) {
            answers.add(JSON.createObjectNode().put("error", "the child process has ended"));
        }
    }

    long pid() {
        return child.pid();
    }

    /** How many it has settled so far in this take. */
    int settled() {
        return settled;
    }

    /** Makes ready for an operation. */
    void prepare(Map<String, ?> command) throws IOException, InterruptedException, Late {
        settled = 0;
        child.send(JSON.writeValueAsString(command));
        answer(START);
    }

    void go() {
        child.send("{\"op\":\"go\"}");
    }

    void stop() {
        child.send("{\"op\":\"stop\"}");
    }

    /** What it says next. */
    JsonNode answer(Duration limit) throws IOException, InterruptedException, Late {
        JsonNode said = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (said == null) {
            throw new Late(limit);
        }
        if (said.has("error")) {
            throw new IOException(said.path("error").asText());
        }
        return said;
    }

    void kill() {
        child.kill();
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}

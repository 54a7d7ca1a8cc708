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

/**
 * A child process of a contestant, as this process sees it: sends operations to {@link ContestantMain} or a {@code
 * peer.js}, and reads the answers. One thread calls it.
 */
final class ContestantProcess implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofSeconds(60);

    private final ChildProcess child;
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private volatile int settled;

    /** Waits until the child is ready. */
    ContestantProcess(ChildProcess child) throws IOException, InterruptedException {
        this.child = child;
        Thread reader = new Thread(this::read, "contestant " + child.pid());
        reader.setDaemon(true);
        reader.start();
        try {
            answer(START);
        } catch (TimeoutException e) {
            child.kill();
            throw new IOException("the child process did not start", e);
        }
    }

    /** Reports that no answer arrived in time. */
    static final class TimeoutException extends Exception {
        private static final long serialVersionUID = 1;

        TimeoutException(Duration limit) {
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
                JsonNode answer = JSON.readTree(line);
                if (answer.has("settled") && answer.size() == 1) {
                    settled = answer.path("settled").asInt();
                } else {
                    answers.add(answer);
                }
            }
        } catch (IOException ended) {
            answers.add(JSON.createObjectNode().put("error", "the child process has ended"));
        }
    }

    long pid() {
        return child.pid();
    }

    /** Returns how many messages the child has settled so far in this take. */
    int settled() {
        return settled;
    }

    /** Prepares an operation and waits until the child is ready for it. */
    void prepare(Map<String, ?> command) throws IOException, InterruptedException, TimeoutException {
        settled = 0;
        child.send(JSON.writeValueAsString(command));
        answer(START);
    }

    /** Starts the prepared operation. */
    void go() {
        child.send("{\"op\":\"go\"}");
    }

    /** Ends a take early. */
    void stop() {
        child.send("{\"op\":\"stop\"}");
    }

    /** Waits for the next answer; throws if the child reports an error. */
    JsonNode answer(Duration limit) throws IOException, InterruptedException, TimeoutException {
        JsonNode answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new TimeoutException(limit);
        }
        if (answer.has("error")) {
            throw new IOException(answer.path("error").asText());
        }
        return answer;
    }

    void kill() {
        child.kill();
    }

    @Override
    public void close() throws IOException {
        child.close();
    }
}

package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.JonoClock;
import dev.jono.benchmarks.Allocation;
import dev.jono.benchmarks.ChildProcess;
import dev.jono.benchmarks.QueueClient.Step;
import java.io.BufferedReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the child process of a contestant that is a Java library. It reads one JSON object per line.
 * {@code push}, {@code pace} and {@code take} prepare an operation and are answered with {@code ready}; {@code go} runs
 * it and is answered with its result; {@code stop} ends a {@code take}. {@code benchmarks/peers/harness.js} implements
 * the same protocol in Node.
 */
public final class ContestantMain {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long REPORT_NANOS = 50_000_000;

    /** The maximum number of paced messages in one call, if several are due at once. */
    private static final int MAX_DUE_BATCH = 100;

    private final Driver driver;
    private final PrintStream out;
    private volatile @Nullable TakeProgress progress;

    private ContestantMain(Driver driver, PrintStream out) {
        this.driver = driver;
        this.out = out;
    }

    /** Arguments: a name of {@link Drivers}, and its settings as a JSON object of strings. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // keeps the output of libraries out of the protocol
        Map<String, String> settings = JSON.readValue(arguments[1], new TypeReference<Map<String, String>>() {});
        ContestantMain main = new ContestantMain(Drivers.open(arguments[0], settings), out);
        main.answer(Map.of("ready", true));
        BufferedReader in = ChildProcess.stdin();
        JsonNode prepared = JSON.createObjectNode();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode command = JSON.readTree(line);
            switch (command.path("op").asText()) {
                case "stop" -> main.stop();
                case "go" -> main.begin(prepared);
                default -> {
                    prepared = command;
                    main.ready(command);
                }
            }
        }
        Runtime.getRuntime().halt(0); // the parent has ended or is done; connections close with the process
    }

    private synchronized void answer(Map<String, ?> answer) {
        try {
            out.println(JSON.writeValueAsString(answer));
        } catch (com.fasterxml.jackson.core.JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void stop() {
        TakeProgress current = progress;
        if (current != null) {
            current.stop();
        }
    }

    private void ready(JsonNode command) {
        try {
            prepare(command);
            answer(Map.of("ready", true));
        } catch (Exception | LinkageError failure) {
            failed(failure);
        }
    }

    private void failed(Throwable failure) {
        failure.printStackTrace();
        answer(Map.of("error", String.valueOf(failure)));
    }

    private void prepare(JsonNode command) throws Exception {
        int queues = command.path("queues").asInt();
        if (queues > 0) {
            driver.openQueues(queues);
        }
        if (command.path("op").asText().equals("take")) {
            progress =
                    new TakeProgress(payloads(command), command.path("expected").asInt(-1));
            if (queues == 0) {
                driver.prepare(step(command), command.path("width").asInt());
            }
        }
    }

    private static Payloads payloads(JsonNode command) {
        return new Payloads(
                command.path("first").asInt(),
                command.path("count").asInt(),
                command.path("bytes").asInt());
    }

    private static Step step(JsonNode command) {
        return Step.valueOf(command.path("step").asText());
    }

    private void begin(JsonNode command) {
        Thread worker = new Thread(() -> {
            try {
                answer(run(command));
            } catch (Exception | LinkageError failure) {
                failed(failure);
            }
        });
        worker.setName("work");
        worker.start();
    }

    private Map<String, Object> run(JsonNode command) throws Exception {
        if (!command.path("allocation").asBoolean()) {
            return measured(command);
        }
        try (Allocation allocation = new Allocation()) {
            Map<String, Object> answer = measured(command);
            answer.put("allocatedBytes", allocation.end());
            return answer;
        }
    }

    private Map<String, Object> measured(JsonNode command) throws Exception {
        Payloads payloads = payloads(command);
        int width = command.path("width").asInt();
        boolean manyQueues = command.path("queues").asInt() > 0;
        Map<String, Object> answer = new LinkedHashMap<>();
        long begin = CLOCK.nanos();
        answer.put("begin", begin);
        switch (command.path("op").asText()) {
            case "push" -> {
                if (manyQueues) {
                    driver.pushToQueues(payloads, width);
                } else {
                    driver.push(payloads, width);
                }
                answer.put("end", CLOCK.nanos());
            }
            case "pace" -> {
                answer.put("lateMicros", pace(payloads, command.path("rate").asDouble(), begin));
                answer.put("end", CLOCK.nanos());
            }
            case "take" -> take(step(command), width, manyQueues, answer);
            default -> throw new IllegalArgumentException("unknown operation: " + command);
        }
        return answer;
    }

    private void take(Step step, int width, boolean manyQueues, Map<String, Object> answer) throws Exception {
        TakeProgress current = Objects.requireNonNull(progress);
        Thread reporter = new Thread(() -> {
            int reported = 0;
            while (current.isOpen()) {
                sleep();
                int now = current.settled();
                if (now != reported) {
                    answer(Map.of("settled", now));
                    reported = now;
                }
            }
        });
        reporter.setDaemon(true);
        reporter.start();
        if (manyQueues) {
            driver.takeFromQueues(step, current, width);
        } else {
            driver.take(step, current, width);
        }
        reporter.join();
        answer.put("end", current.endNanos());
        answer.put("settled", current.settled());
        answer.put("seen", current.arrivals().encoded());
        answer.put("again", current.arrivals().repeated());
        answer.put("foreign", current.arrivals().foreign());
        int[] micros = current.micros();
        ByteBuffer buffer = ByteBuffer.allocate(4 * micros.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(micros);
        answer.put("micros", Base64.getEncoder().encodeToString(buffer.array()));
    }

    private static void sleep() {
        LockSupport.parkNanos(REPORT_NANOS);
    }

    /**
     * Pushes at even gaps. A text holds the time at which its push was due, so that a delayed push counts as late.
     * Messages that are due at once are sent in one call, as an application would do. Returns the longest delay of a
     * push, in microseconds.
     */
    private long pace(Payloads payloads, double rate, long begin) throws Exception {
        long late = 0;
        int next = 0;
        while (next < payloads.count()) {
            long now = CLOCK.nanos();
            long due = due(next, rate, begin);
            if (now < due) {
                LockSupport.parkNanos(due - now);
                continue;
            }
            late = Math.max(late, now - due);
            List<String> batch = new ArrayList<>();
            for (;
                    next < payloads.count() && batch.size() < MAX_DUE_BATCH && due <= now;
                    due = due(next, rate, begin)) {
                batch.add(payloads.text(next, due));
                next++;
            }
            if (batch.size() == 1) {
                driver.send(batch.get(0));
            } else {
                driver.sendAll(batch);
            }
        }
        driver.flush();
        return late / 1000;
    }

    private static long due(int index, double rate, long begin) {
        return begin + (long) (index * 1e9 / rate);
    }
}

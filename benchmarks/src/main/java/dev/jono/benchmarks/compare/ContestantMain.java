package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.JonoClock;
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
 * The child process of a contestant that is a Java library. It reads a JSON object per line: {@code push}, {@code pace} or
 * {@code take}, which it answers with {@code ready}; then {@code go}, which it answers with what came out; {@code stop} ends
 * a {@code take}. {@code benchmarks/peers/harness.js} does the same in Node.
 */
public final class ContestantMain {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long REPORT_NANOS = 50_000_000;
    private static final int TOGETHER = 100;

    private final Driver driver;
    private final PrintStream out;
    private volatile @Nullable TakeProgress intake;

    private ContestantMain(Driver driver, PrintStream out) {
        this.driver = driver;
        this.out = out;
    }

    /** {@code DRIVER SETTINGS}, the settings being a JSON object of strings. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // what libraries print must not come between
        Map<String, String> settings = JSON.readValue(arguments[1], new TypeReference<Map<String, String>>() {});
        ContestantMain peer = new ContestantMain(Drivers.open(arguments[0], settings), out);
        peer.say(Map.of("ready", true));
        BufferedReader in = ChildProcess.stdin();
        JsonNode prepared = JSON.createObjectNode();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonNode command = JSON.readTree(line);
            switch (command.path("op").asText()) {
                case "stop" -> peer.stop();
                case "go" -> peer.begin(prepared);
                default -> {
                    prepared = command;
                    peer.ready(command);
                }
            }
        }
        Runtime.getRuntime().halt(0); // the parent is gone or done; what is open closes with the process
    }

    private synchronized void say(Map<String, ?> answer) {
        try {
            out.println(JSON.writeValueAsString(answer));
        } catch (com.fasterxml.jackson.core.JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void stop() {
        TakeProgress current = intake;
        if (current != null) {
            current.stop();
        }
    }

    private void ready(JsonNode command) {
        try {
            prepare(command);
            say(Map.of("ready", true));
        } catch (Exception | LinkageError failure) {
            failed(failure);
        }
    }

    private void failed(Throwable failure) {
        failure.printStackTrace();
        say(Map.of("error", String.valueOf(failure)));
    }

    private void prepare(JsonNode command) throws Exception {
        int queues = command.path("queues").asInt();
        if (queues > 0) {
            driver.queues(queues);
        }
        if (command.path("op").asText().equals("take")) {
            intake = new TakeProgress(payloads(command), command.path("expected").asInt(-1));
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
                say(run(command));
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
        boolean over = command.path("queues").asInt() > 0;
        Map<String, Object> answer = new LinkedHashMap<>();
        long begin = CLOCK.nanos();
        answer.put("begin", begin);
        switch (command.path("op").asText()) {
            case "push" -> {
                if (over) {
                    driver.pushOver(payloads, width);
                } else {
                    driver.push(payloads, width);
                }
                answer.put("end", CLOCK.nanos());
            }
            case "pace" -> {
                answer.put("lateMicros", pace(payloads, command.path("rate").asDouble(), begin));
                answer.put("end", CLOCK.nanos());
            }
            case "take" -> take(step(command), width, over, answer);
            default -> throw new IllegalArgumentException("unknown: " + command);
        }
        return answer;
    }

    private void take(Step step, int width, boolean over, Map<String, Object> answer) throws Exception {
        TakeProgress in = Objects.requireNonNull(intake);
        Thread reporter = new Thread(() -> {
            int told = 0;
            while (in.open()) {
                sleep();
                int now = in.settled();
                if (now != told) {
                    say(Map.of("settled", now));
                    told = now;
                }
            }
        });
        reporter.setDaemon(true);
        reporter.start();
        if (over) {
            driver.takeOver(step, in, width);
        } else {
            driver.take(step, in, width);
        }
        reporter.join();
        answer.put("end", in.endNanos());
        answer.put("settled", in.settled());
        answer.put("seen", in.arrivals().encoded());
        answer.put("again", in.arrivals().again());
        answer.put("foreign", in.arrivals().foreign());
        int[] micros = in.micros();
        ByteBuffer buffer = ByteBuffer.allocate(4 * micros.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(micros);
        answer.put("micros", Base64.getEncoder().encodeToString(buffer.array()));
    }

    private static void sleep() {
        LockSupport.parkNanos(REPORT_NANOS);
    }

    /**
     * Pushes at even gaps; each text tells when it was due, so that a push that is held up counts as late. What is due by the
     * time that one looks goes together, as an application would send it.
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
            List<String> together = new ArrayList<>();
            for (; next < payloads.count() && together.size() < TOGETHER && due <= now; due = due(next, rate, begin)) {
                together.add(payloads.text(next, due));
                next++;
            }
            if (together.size() == 1) {
                driver.send(together.get(0));
            } else {
                driver.sendAll(together);
            }
        }
        driver.flush();
        return late / 1000;
    }

    private static long due(int place, double rate, long begin) {
        return begin + (long) (place * 1e9 / rate);
    }
}

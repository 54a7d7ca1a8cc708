package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.benchmarks.JonoClient.CallMode;
import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Rows that compare the Redis backends with keuss and with loops written by hand. Both sides of a row share one Redis
 * without persistence.
 */
final class RedisRows {
    /** The calls in flight with which keuss is fastest. */
    private static final int KEUSS_IN_FLIGHT = 64;

    /** The threads that push and take lists at the same time. */
    private static final int LIST_CALLERS = 4;

    /** The messages of a round with many calls in flight: about a second of work. */
    private static final int MESSAGES = 100_000;

    /** The minimum of Jono's rounds before the rounds of both sides. */
    private static final int WARM_UP_ROUNDS = 8;

    private final int rounds;
    private final double scale;

    RedisRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Opens a client on the Redis of a row. */
    private interface ClientFactory {
        QueueClient on(RedisTestbed testbed) throws IOException;
    }

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        boolean virtual = Runtime.version().feature() >= 21;
        Map<Step, double[]> targets = Map.of(
                Step.PUSH,
                new double[] {2.2, 4, 4},
                Step.POP,
                new double[] {2, 3.5, 4},
                Step.RESERVE_ACK,
                new double[] {2, 3.5, 3.5});
        for (Step step : Step.values()) {
            double[] atLeast = Objects.requireNonNull(targets.get(step));
            keuss(rows, "redis-oq", step, CallMode.ASYNC, 64, atLeast[0]);
            keuss(rows, "redis-oq", step, CallMode.ASYNC, 512, atLeast[1]);
            if (virtual) {
                keuss(rows, "redis-oq", step, CallMode.THREADS, 64, atLeast[0]);
                keuss(rows, "redis-oq", step, CallMode.THREADS, 512, atLeast[1]);
            }
            keuss(rows, "redis-oq", step, CallMode.LISTS, 100, atLeast[2]);
            loop(rows, "redis-oq", step, CallMode.LISTS, 100, 0.7);
            loopRows(rows, "redis-oq", step, virtual);
        }
        keuss(rows, "redis-oq", Step.PUSH, CallMode.UNORDERED, 64, 2.2);
        keuss(rows, "redis-oq", Step.PUSH, CallMode.UNORDERED, 512, 4);
        for (Step step : new Step[] {Step.PUSH, Step.POP}) {
            keuss(rows, "redis-list", step, CallMode.ASYNC, 64, 4);
            if (virtual) {
                keuss(rows, "redis-list", step, CallMode.THREADS, 64, 4);
            }
            keuss(rows, "redis-list", step, CallMode.LISTS, 100, 10);
            loopRows(rows, "redis-list", step, virtual);
        }
        for (Step step : Step.values()) {
            loop(rows, "redis-oq", step, CallMode.THREADS, 1, 0.85);
            keuss(rows, "redis-oq", step, CallMode.THREADS, 1, 0.9);
            if (step != Step.RESERVE_ACK) {
                loop(rows, "redis-list", step, CallMode.THREADS, 1, 0.85);
                keuss(rows, "redis-list", step, CallMode.THREADS, 1, 0.9);
            }
        }
        addOthers(rows);
    }

    /** Adds the rows that do not compare the rates of two clients. */
    private void addOthers(Map<String, Callable<Row>> rows) {
        rows.put("redis-oq-wake-up", () -> RedisWakeUp.measure(Math.min(rounds, 3), scale));
        rows.put("redis-oq-backlog", this::backlog);
        rows.put("redis-oq-50-processes", () -> WaitingProcesses.measure(scale));
        rows.put("idle-redis-oq", () -> IdleQueues.redis("redis-oq", scale));
        rows.put("idle-redis-list", () -> IdleQueues.redis("redis-list", scale));
    }

    /** Reserve+ack in lists of 100 with a long backlog, compared with a short one. */
    private Row backlog() throws Exception {
        int deep = Math.max(10_000, (int) (2_000_000 * scale));
        int messages = count(50_000);
        String payload = "x".repeat(200);
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(RedisTestbed.url("redis-oq", redis))) {
            MessageQueue<String> big = jono.queue("big", Codec.string());
            MessageQueue<String> small = jono.queue("small", Codec.string());
            SteadyBacklog.fill(big, payload, deep);
            SteadyBacklog.fill(small, payload, 1000);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds, () -> SteadyBacklog.run(big, messages), () -> SteadyBacklog.run(small, messages));
            return Row.ratio(
                    "redis-oq-backlog",
                    String.format("redis-oq reserve+ack with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }

    /** Describes the calls for people. */
    private static String how(CallMode mode, int width) {
        return switch (mode) {
            case ASYNC -> width + " calls in flight";
            case UNORDERED -> width + " calls in flight with ordered(false)";
            case THREADS -> width == 1 ? "one caller" : width + " virtual threads that block";
            case LISTS -> "lists of " + width + " by " + LIST_CALLERS + " callers";
        };
    }

    private static String id(String backend, Step step, CallMode mode, int width, String other) {
        String suffix =
                mode == CallMode.UNORDERED ? "-unordered" : mode == CallMode.THREADS && width > 1 ? "-threads" : "";
        return backend + "-" + step.id() + "-" + width + suffix + "-" + other;
    }

    /** Adds a backend compared with the backend of the same name in keuss. */
    private void keuss(
            Map<String, Callable<Row>> rows, String backend, Step step, CallMode mode, int width, double target) {
        int theirs = width == 1 ? 1 : KEUSS_IN_FLIGHT;
        String id = id(backend, step, mode, width, "keuss");
        String what = backend + " " + step.text() + ", " + how(mode, width) + " / keuss, " + theirs + " in flight";
        int messages = count(width == 1 ? 5_000 : MESSAGES);
        rows.put(
                id,
                () -> row(
                        id,
                        what,
                        target,
                        backend,
                        step,
                        messages,
                        testbed -> new JonoClient(RedisTestbed.url(backend, testbed.redis), mode, width, LIST_CALLERS),
                        testbed -> new KeussProcess(testbed.redis, backend, "keuss", theirs)));
    }

    /** Adds one caller compared with the loop that makes the same calls. */
    private void loop(
            Map<String, Callable<Row>> rows, String backend, Step step, CallMode mode, int width, double target) {
        String id = id(backend, step, mode, width, "loop");
        String what = backend + " " + step.text() + ", one caller, " + width + " per call / Lettuce loop, the same";
        int messages = count(width == 1 ? 5_000 : MESSAGES);
        rows.put(
                id,
                () -> row(
                        id,
                        what,
                        target,
                        backend,
                        step,
                        messages,
                        testbed -> new JonoClient(RedisTestbed.url(backend, testbed.redis), mode, width, 1),
                        testbed ->
                                new LettuceLoop(testbed.redis.uri(), backend.equals("redis-list"), width, 1, false)));
    }

    /**
     * Adds the comparisons with the loops that LOG.md calls the free loop, the safe loop and the gathering loop. The
     * free loop shows the most that is possible. The other two keep what Jono promises: one call in flight, which Redis
     * remembers until its answer has arrived. The safe loop has its messages ready as a list, the gathering loop gets a
     * call for each.
     */
    private void loopRows(Map<String, Callable<Row>> rows, String backend, Step step, boolean virtual) {
        loopRow(rows, backend, step, CallMode.ASYNC, 64, "loop", new Loop(32, 2, false, Calls.LISTS));
        loopRow(rows, backend, step, CallMode.ASYNC, 512, "loop", new Loop(100, 5, false, Calls.LISTS));
        for (int width : new int[] {64, 512}) {
            loopRow(rows, backend, step, CallMode.ASYNC, width, "alike", new Loop(width, 1, true, Calls.LISTS));
            loopRow(rows, backend, step, CallMode.ASYNC, width, "gathered", new Loop(width, 1, true, Calls.IN_FLIGHT));
        }
        loopRow(rows, backend, step, CallMode.LISTS, 100, "alike", new Loop(100 * LIST_CALLERS, 1, true, Calls.LISTS));
        if (virtual) {
            loopRow(rows, backend, step, CallMode.THREADS, 64, "alike", new Loop(64, 1, true, Calls.BLOCKING));
        }
    }

    /** How a loop gets its messages. */
    private enum Calls {
        /** It has them ready as lists. */
        LISTS,
        /** By asynchronous calls for one message each, which another thread batches. */
        IN_FLIGHT,
        /** By blocking calls of virtual threads for one message each, which another thread batches. */
        BLOCKING
    }

    /**
     * The settings of a loop: messages per call, callers, whether Redis remembers its calls, and how it gets its
     * messages.
     */
    private record Loop(int batch, int callers, boolean remembers, Calls calls) {
        ClientFactory client(String backend) {
            return testbed -> {
                LettuceLoop loop =
                        new LettuceLoop(testbed.redis.uri(), backend.equals("redis-list"), batch, callers, remembers);
                return calls == Calls.LISTS ? loop : new GatheringLoop(loop, batch, calls == Calls.BLOCKING);
            };
        }

        @Override
        public String toString() {
            String how = switch (calls) {
                case LISTS -> (callers == 1 ? "one caller" : callers + " callers") + ", " + batch + " per call";
                case IN_FLIGHT -> batch + " calls in flight, batched by a thread";
                case BLOCKING -> batch + " virtual threads that block, batched by another thread";
            };
            return "Lettuce loop, " + how + (remembers ? ", each call remembered" : "");
        }
    }

    /** Adds Jono compared with a loop, and that loop compared with keuss. */
    private void loopRow(
            Map<String, Callable<Row>> rows,
            String backend,
            Step step,
            CallMode mode,
            int width,
            String other,
            Loop loop) {
        int messages = count(MESSAGES);
        String id = id(backend, step, mode, width, other);
        rows.put(
                id,
                () -> row(
                        id,
                        backend + " " + step.text() + ", " + how(mode, width) + " / " + loop,
                        0.8,
                        backend,
                        step,
                        messages,
                        testbed -> new JonoClient(RedisTestbed.url(backend, testbed.redis), mode, width, LIST_CALLERS),
                        loop.client(backend)));
        String keussId = id + "-keuss";
        rows.put(
                keussId,
                () -> row(
                        keussId,
                        loop + ", " + backend + " " + step.text() + " (no target) / keuss, 64 in flight",
                        0,
                        backend,
                        step,
                        messages,
                        loop.client(backend),
                        testbed -> new KeussProcess(testbed.redis, backend, "keuss", KEUSS_IN_FLIGHT)));
    }

    private int count(int messages) {
        return Math.max(10, (int) (messages * scale) / 1000) * 1000;
    }

    /** Measures a row on a new server. */
    private Row row(
            String id,
            String what,
            double target,
            String backend,
            Step step,
            int messages,
            ClientFactory ours,
            ClientFactory theirs)
            throws Exception {
        NumberedMessages numbered = new NumberedMessages(messages);
        try (RedisTestbed testbed = new RedisTestbed(backend);
                QueueClient our = ours.on(testbed);
                QueueClient their = theirs.on(testbed)) {
            RedisLoad ourLoad = new RedisLoad(testbed.redis);
            RedisLoad theirLoad = new RedisLoad(testbed.redis);
            Interleaved.warmUp(WARM_UP_ROUNDS, testbed.round(our, step, numbered, new RedisLoad(testbed.redis)));
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    testbed.round(our, step, numbered, ourLoad),
                    testbed.round(their, step, numbered, theirLoad));
            return Row.ratio(id, what, target, result)
                    .with("oursOnRedis", ourLoad.figures(), ourLoad.toString())
                    .with("theirsOnRedis", theirLoad.figures(), theirLoad.toString());
        }
    }
}

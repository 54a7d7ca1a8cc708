package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.benchmarks.JonoClient.Manner;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** The backends on Redis against keuss in Node and against a hand-written loop, on one Redis without persistence. */
final class RedisRows {
    /** What keuss is best at. */
    private static final int KEUSS_IN_FLIGHT = 64;

    /** So many callers push and take lists beside one another; keuss has as many calls in flight as it likes. */
    private static final int LIST_CALLERS = 4;

    /** Of a round with many in flight: about a second's. */
    private static final int MESSAGES = 100_000;

    /** Of ours, before those of both. */
    private static final int WARM_UP_ROUNDS = 8;

    private final int rounds;
    private final double scale;

    RedisRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Makes a contender on the Redis of a cell. */
    private interface Maker {
        QueueClient on(RedisTestbed bench) throws IOException;
    }

    /** Adds the cells to the rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        boolean virtual = Runtime.version().feature() >= 21;
        Map<Step, double[]> demands = Map.of(
                Step.PUSH,
                new double[] {2.2, 4, 4},
                Step.POP,
                new double[] {2, 3.5, 4},
                Step.RESERVE_ACK,
                new double[] {2, 3.5, 3.5});
        for (Step step : Step.values()) {
            double[] atLeast = Objects.requireNonNull(demands.get(step));
            keuss(rows, "redis-oq", step, Manner.ASYNC, 64, atLeast[0]);
            keuss(rows, "redis-oq", step, Manner.ASYNC, 512, atLeast[1]);
            if (virtual) {
                keuss(rows, "redis-oq", step, Manner.THREADS, 64, atLeast[0]);
                keuss(rows, "redis-oq", step, Manner.THREADS, 512, atLeast[1]);
            }
            keuss(rows, "redis-oq", step, Manner.LISTS, 100, atLeast[2]);
            loop(rows, "redis-oq", step, Manner.LISTS, 100, 0.7);
            bounds(rows, "redis-oq", step, virtual);
        }
        keuss(rows, "redis-oq", Step.PUSH, Manner.UNORDERED, 64, 2.2);
        keuss(rows, "redis-oq", Step.PUSH, Manner.UNORDERED, 512, 4);
        for (Step step : new Step[] {Step.PUSH, Step.POP}) {
            keuss(rows, "redis-list", step, Manner.ASYNC, 64, 4);
            if (virtual) {
                keuss(rows, "redis-list", step, Manner.THREADS, 64, 4);
            }
            keuss(rows, "redis-list", step, Manner.LISTS, 100, 10);
            bounds(rows, "redis-list", step, virtual);
        }
        for (Step step : Step.values()) {
            loop(rows, "redis-oq", step, Manner.THREADS, 1, 0.85);
            keuss(rows, "redis-oq", step, Manner.THREADS, 1, 0.9);
            if (step != Step.RESERVE_ACK) {
                loop(rows, "redis-list", step, Manner.THREADS, 1, 0.85);
                keuss(rows, "redis-list", step, Manner.THREADS, 1, 0.9);
            }
        }
        addOthers(rows);
    }

    /** Rows that are not one contender's rate against another's. */
    private void addOthers(Map<String, Callable<Row>> rows) {
        rows.put("redis-oq-wake-up", () -> RedisWakeUp.measure(Math.min(rounds, 3), scale));
        rows.put("redis-oq-backlog", this::backlog);
        rows.put("redis-oq-50-processes", () -> WaitingProcesses.measure(scale));
        rows.put("idle-redis-oq", () -> IdleQueues.redis("redis-oq", scale));
        rows.put("idle-redis-list", () -> IdleQueues.redis("redis-list", scale));
    }

    /** Reserve+ack in lists of 100, over a long backlog and over a short one; every message done is replaced. */
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
            Interleaved.Comparison result =
                    Interleaved.rates(rounds, () -> SteadyBacklog.run(big, messages), () -> SteadyBacklog.run(small, messages));
            return Row.ratio(
                    "redis-oq-backlog",
                    String.format("redis-oq reserve+ack with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }

    private static String how(Manner manner, int width) {
        return switch (manner) {
            case ASYNC -> width + " calls in flight";
            case UNORDERED -> width + " calls in flight with ordered(false)";
            case THREADS -> width == 1 ? "one caller" : width + " virtual threads that block";
            case LISTS -> "lists of " + width + " by " + LIST_CALLERS + " callers";
        };
    }

    private static String id(String backend, Step step, Manner manner, int width, String against) {
        String suffix =
                manner == Manner.UNORDERED ? "-unordered" : manner == Manner.THREADS && width > 1 ? "-threads" : "";
        return backend + "-" + step.id() + "-" + width + suffix + "-" + against;
    }

    private void keuss(
            Map<String, Callable<Row>> rows, String backend, Step step, Manner manner, int width, double demand) {
        int theirs = width == 1 ? 1 : KEUSS_IN_FLIGHT;
        String id = id(backend, step, manner, width, "keuss");
        String what = backend + " " + step.text() + ", " + how(manner, width) + " / keuss, " + theirs + " in flight";
        int messages = count(width == 1 ? 5_000 : MESSAGES);
        rows.put(
                id,
                () -> cell(
                        id,
                        what,
                        demand,
                        backend,
                        step,
                        messages,
                        bench -> new JonoClient(RedisTestbed.url(backend, bench.redis), manner, width, LIST_CALLERS),
                        bench -> new KeussProcess(bench.redis, backend, "keuss", theirs)));
    }

    private void loop(
            Map<String, Callable<Row>> rows, String backend, Step step, Manner manner, int width, double demand) {
        String id = id(backend, step, manner, width, "loop");
        String what = backend + " " + step.text() + ", one caller, " + width + " a call / Lettuce loop, the same";
        int messages = count(width == 1 ? 5_000 : MESSAGES);
        rows.put(
                id,
                () -> cell(
                        id,
                        what,
                        demand,
                        backend,
                        step,
                        messages,
                        bench -> new JonoClient(RedisTestbed.url(backend, bench.redis), manner, width, 1),
                        bench -> new LettuceLoop(bench.redis.uri(), backend.equals("redis-list"), width, 1, false)));
    }

    /**
     * How near we come to a loop with as much in flight, and how far that one is ahead of keuss: the most there is. Then to
     * one that keeps what is promised: one call under way at a time, remembered until its answer is there; with all
     * messages at hand as a list, and with as many calls for one message each.
     */
    private void bounds(Map<String, Callable<Row>> rows, String backend, Step step, boolean virtual) {
        bound(rows, backend, step, Manner.ASYNC, 64, "loop", new Loop(32, 2, false, Calls.LISTS));
        bound(rows, backend, step, Manner.ASYNC, 512, "loop", new Loop(100, 5, false, Calls.LISTS));
        for (int width : new int[] {64, 512}) {
            bound(rows, backend, step, Manner.ASYNC, width, "alike", new Loop(width, 1, true, Calls.LISTS));
            bound(rows, backend, step, Manner.ASYNC, width, "gathered", new Loop(width, 1, true, Calls.IN_FLIGHT));
        }
        bound(rows, backend, step, Manner.LISTS, 100, "alike", new Loop(100 * LIST_CALLERS, 1, true, Calls.LISTS));
        if (virtual) {
            bound(rows, backend, step, Manner.THREADS, 64, "alike", new Loop(64, 1, true, Calls.BLOCKING));
        }
    }

    /** How messages come to a hand-written loop. */
    private enum Calls {
        /** At hand, as lists. */
        LISTS,
        /** In calls for one each, gathered by a thread. */
        IN_FLIGHT,
        /** In calls for one each by virtual threads that block, gathered by another thread. */
        BLOCKING
    }

    /** A hand-written loop. */
    private record Loop(int batch, int hands, boolean remembers, Calls calls) {
        Maker maker(String backend) {
            return bench -> {
                LettuceLoop loop =
                        new LettuceLoop(bench.redis.uri(), backend.equals("redis-list"), batch, hands, remembers);
                return calls == Calls.LISTS ? loop : new GatheringLoop(loop, batch, calls == Calls.BLOCKING);
            };
        }

        @Override
        public String toString() {
            String who = switch (calls) {
                case LISTS -> (hands == 1 ? "one caller" : hands + " callers") + ", " + batch + " a call";
                case IN_FLIGHT -> batch + " calls in flight, gathered by a thread";
                case BLOCKING -> batch + " virtual threads that block, gathered by another";
            };
            return "Lettuce loop, " + who + (remembers ? ", each call remembered" : "");
        }
    }

    private void bound(
            Map<String, Callable<Row>> rows,
            String backend,
            Step step,
            Manner manner,
            int width,
            String against,
            Loop loop) {
        int messages = count(MESSAGES);
        String near = id(backend, step, manner, width, against);
        rows.put(
                near,
                () -> cell(
                        near,
                        backend + " " + step.text() + ", " + how(manner, width) + " / " + loop,
                        0.8,
                        backend,
                        step,
                        messages,
                        bench -> new JonoClient(RedisTestbed.url(backend, bench.redis), manner, width, LIST_CALLERS),
                        loop.maker(backend)));
        String far = near + "-keuss";
        rows.put(
                far,
                () -> cell(
                        far,
                        loop + ", " + backend + " " + step.text() + " (reported) / keuss, 64 in flight",
                        0,
                        backend,
                        step,
                        messages,
                        loop.maker(backend),
                        bench -> new KeussProcess(bench.redis, backend, "keuss", KEUSS_IN_FLIGHT)));
    }

    private int count(int messages) {
        return Math.max(10, (int) (messages * scale) / 1000) * 1000;
    }

    private Row cell(
            String id, String what, double demand, String backend, Step step, int messages, Maker ours, Maker theirs)
            throws Exception {
        NumberedMessages numbered = new NumberedMessages(messages);
        try (RedisTestbed bench = new RedisTestbed(backend);
                QueueClient our = ours.on(bench);
                QueueClient their = theirs.on(bench)) {
            RedisLoad load = new RedisLoad(bench.redis);
            RedisLoad other = new RedisLoad(bench.redis);
            Interleaved.warmUp(WARM_UP_ROUNDS, bench.turn(our, step, numbered, new RedisLoad(bench.redis)));
            Interleaved.Comparison result =
                    Interleaved.rates(rounds, bench.turn(our, step, numbered, load), bench.turn(their, step, numbered, other));
            return Row.ratio(id, what, demand, result)
                    .with("oursOnRedis", load.figures(), load.toString())
                    .with("theirsOnRedis", other.figures(), other.toString());
        }
    }
}

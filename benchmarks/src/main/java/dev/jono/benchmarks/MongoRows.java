package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.benchmarks.JonoClient.Manner;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * The backends on MongoDB against keuss in Node, a hand-written loop and one another, on a replica set of one node; Jono
 * writes with {@code w: majority, j: true}.
 */
final class MongoRows {
    /** What keuss is best at. */
    static final int KEUSS_IN_FLIGHT = 64;

    /** So many callers push and take lists beside one another. */
    private static final int LIST_CALLERS = 4;

    /** Of ours, before those of both. */
    private static final int WARM_UP_ROUNDS = 3;

    private static final int BATCH = 500;

    private static final double LOOP_DEMAND = 0.8;

    /** Messages of a round: of keuss fewer, that its rounds take about as long. */
    private static final int OURS = 20_000;

    private static final int LISTS = 60_000;
    private static final int THEIRS = 2_000;

    private final int rounds;
    private final double scale;

    MongoRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Makes a contender on the servers of a cell. */
    interface Maker {
        QueueClient on(MongoTestbed bench) throws IOException;
    }

    /** A contender, and how many messages it gets. */
    record Side(Maker maker, String backend, int messages) {}

    /** Adds the cells to the rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        Map<Step, double[]> demands = Map.of(
                Step.PUSH, new double[] {8, 18, 20},
                Step.POP, new double[] {3.5, 6, 8},
                Step.RESERVE_ACK, new double[] {3.5, 6, 8});
        for (Step step : Step.values()) {
            double[] atLeast = Objects.requireNonNull(demands.get(step));
            keuss(rows, "mongo", step, Manner.ASYNC, 64, OURS, THEIRS, atLeast[0]);
            keuss(rows, "mongo", step, Manner.ASYNC, 512, OURS, THEIRS, atLeast[1]);
            keuss(rows, "mongo", step, Manner.LISTS, BATCH, LISTS, THEIRS, atLeast[2]);
            loop(rows, step, MongoLoop::new, "loop");
            loop(rows, step, MongoFencedLoop::new, "alike");
            inFlightBesideLoop(rows, step);
        }
        for (Step step : Step.values()) {
            history(rows, step, 0.7);
        }
        rows.put("mongo-4-processes-64", () -> CompetingProcesses.measure(64, rounds, count(40_000)));
        rows.put("mongo-4-processes-500", () -> CompetingProcesses.measure(BATCH, rounds, count(80_000)));
        rows.put("pl-mongo-3-stages", () -> MongoPipeline.measure(rounds, count(10_000), count(1_000)));
        rows.put("mongo-wake-up", () -> MongoWakeUp.measure(Math.min(rounds, 3), scale));
        rows.put("mongo-backlog", this::backlog);
    }

    int count(int messages) {
        return Math.max(1, (int) (messages * scale) / 1000) * 1000;
    }

    static String how(Manner manner, int width) {
        return manner == Manner.LISTS
                ? "lists of " + width + " by " + LIST_CALLERS + " callers"
                : width + " calls in flight";
    }

    /** Ours against keuss's backend of the same name. */
    private void keuss(
            Map<String, Callable<Row>> rows,
            String backend,
            Step step,
            Manner manner,
            int width,
            int ours,
            int theirs,
            double demand) {
        String id = backend + "-" + step.id() + "-" + width + "-keuss";
        String what =
                backend + " " + step.text() + ", " + how(manner, width) + " / keuss, " + KEUSS_IN_FLIGHT + " in flight";
        rows.put(
                id,
                () -> cell(
                        id,
                        what,
                        demand,
                        step,
                        jono(backend, manner, width, LIST_CALLERS, count(ours)),
                        new Side(
                                bench -> new KeussProcess(bench.uri("keuss"), backend, "keuss", KEUSS_IN_FLIGHT),
                                backend,
                                count(theirs))));
    }

    /** A hand-written loop, of so many a call. */
    private interface LoopMaker {
        QueueClient of(String uri, int batch);
    }

    /**
     * One caller beside a loop.
     *
     * @param kind "alike" where the loop keeps the same fields and takes the same steps
     */
    private void loop(Map<String, Callable<Row>> rows, Step step, LoopMaker maker, String kind) {
        String id = "mongo-" + step.id() + "-" + BATCH + "-" + kind;
        String what = "mongo " + step.text() + ", one caller, " + BATCH + " a call / driver loop, "
                + (kind.equals("alike") ? "the same, with the same fields and steps" : "the same");
        rows.put(
                id,
                () -> cell(
                        id,
                        what,
                        LOOP_DEMAND,
                        step,
                        jono("mongo", Manner.LISTS, BATCH, 1, count(LISTS)),
                        new Side(bench -> maker.of(bench.uri("loop"), BATCH), "mongo", count(LISTS))));
    }

    /** Calls in flight of which one batch is under way at a time, as their order wants it, beside a loop of such batches. */
    private void inFlightBesideLoop(Map<String, Callable<Row>> rows, Step step) {
        String id = "mongo-" + step.id() + "-" + KEUSS_IN_FLIGHT + "-alike";
        String what = "mongo " + step.text() + ", " + how(Manner.ASYNC, KEUSS_IN_FLIGHT)
                + " / driver loop of as many a call, with the same fields and steps";
        rows.put(
                id,
                () -> cell(
                        id,
                        what,
                        LOOP_DEMAND,
                        step,
                        jono("mongo", Manner.ASYNC, KEUSS_IN_FLIGHT, LIST_CALLERS, count(OURS)),
                        new Side(
                                bench -> new MongoFencedLoop(bench.uri("loop"), KEUSS_IN_FLIGHT),
                                "mongo",
                                count(OURS))));
    }

    private void history(Map<String, Callable<Row>> rows, Step step, double demand) {
        String id = "ps-mongo-" + step.id() + "-" + BATCH + "-mongo";
        String what = "ps-mongo " + step.text() + ", " + how(Manner.LISTS, BATCH) + " / mongo, the same";
        rows.put(
                id,
                () -> cell(
                        id,
                        what,
                        demand,
                        step,
                        jono("ps-mongo", Manner.LISTS, BATCH, LIST_CALLERS, count(LISTS)),
                        jono("mongo", Manner.LISTS, BATCH, LIST_CALLERS, count(LISTS))));
    }

    static Side jono(String backend, Manner manner, int width, int listCallers, int messages) {
        String queue = "jono-" + backend;
        return new Side(
                bench -> new JonoClient(bench.url(backend, queue), queue, manner, width, listCallers),
                backend,
                messages);
    }

    Row cell(String id, String what, double demand, Step step, Side ours, Side theirs) throws Exception {
        NumberedMessages our = new NumberedMessages(ours.messages);
        NumberedMessages their = new NumberedMessages(theirs.messages);
        try (MongoTestbed bench = new MongoTestbed();
                QueueClient one = ours.maker.on(bench);
                QueueClient other = theirs.maker.on(bench)) {
            Interleaved.warmUp(WARM_UP_ROUNDS, bench.turn(ours.backend, one, step, our, new MongoLoad(bench)));
            MongoLoad oursLoad = new MongoLoad(bench);
            MongoLoad theirLoad = new MongoLoad(bench);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    bench.turn(ours.backend, one, step, our, oursLoad),
                    bench.turn(theirs.backend, other, step, their, theirLoad));
            return Row.ratio(id, what, demand, result)
                    .with("oursOnMongo", oursLoad.figures(), oursLoad.toString())
                    .with("theirsOnMongo", theirLoad.figures(), theirLoad.toString());
        }
    }

    /** Reserve+ack in lists of 100, over a long backlog and over a short one; every message done is replaced. */
    private Row backlog() throws Exception {
        int deep = Math.max(10_000, (int) (2_000_000 * scale));
        int messages = count(20_000);
        String payload = "x".repeat(200);
        try (MongoTestbed bench = new MongoTestbed();
                QueueFactory jono = QueueFactory.connect(bench.url("mongo", "backlog"))) {
            MessageQueue<String> big = jono.queue("big", Codec.string());
            MessageQueue<String> small = jono.queue("small", Codec.string());
            SteadyBacklog.fill(big, payload, deep);
            SteadyBacklog.fill(small, payload, 1000);
            Interleaved.Comparison result =
                    Interleaved.rates(rounds, () -> SteadyBacklog.run(big, messages), () -> SteadyBacklog.run(small, messages));
            return Row.ratio(
                    "mongo-backlog",
                    String.format("mongo reserve+ack with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }
}

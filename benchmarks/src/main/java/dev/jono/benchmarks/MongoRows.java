package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.benchmarks.JonoClient.CallMode;
import dev.jono.benchmarks.QueueClient.Step;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Rows that compare the MongoDB backends with keuss, with loops written by hand, and with each other, on a replica set
 * of one node. Jono and the loops write with {@code w: majority, j: true}. The rows of the bucket backends are in
 * {@link BucketRows}.
 */
final class MongoRows {
    /** The calls in flight with which keuss is fastest. */
    static final int KEUSS_IN_FLIGHT = 64;

    /** The threads that push and take lists at the same time. */
    private static final int LIST_CALLERS = 4;

    /** The minimum of Jono's rounds before the rounds of both sides. */
    private static final int WARM_UP_ROUNDS = 3;

    private static final int BATCH = 500;
    private static final double LOOP_TARGET = 0.8;

    /** The messages of a round with single calls. */
    private static final int MESSAGES = 20_000;

    /** The messages of a round with lists. */
    private static final int LIST_MESSAGES = 60_000;

    /** The messages of a round of keuss: fewer, so that its rounds take about as long. */
    private static final int KEUSS_MESSAGES = 2_000;

    private final int rounds;
    private final double scale;

    MongoRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Opens a client on the server of a row. */
    interface ClientFactory {
        QueueClient on(MongoTestbed testbed) throws IOException;
    }

    /** One side of a row: its client, the backend that fills and checks its queue, and its messages per round. */
    record Side(ClientFactory client, String backend, int messages) {}

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        Map<Step, double[]> targets = Map.of(
                Step.PUSH, new double[] {8, 18, 20},
                Step.POP, new double[] {3.5, 6, 8},
                Step.RESERVE_ACK, new double[] {3.5, 6, 8});
        for (Step step : Step.values()) {
            double[] atLeast = Objects.requireNonNull(targets.get(step));
            keuss(rows, "mongo", step, CallMode.ASYNC, 64, MESSAGES, atLeast[0]);
            keuss(rows, "mongo", step, CallMode.ASYNC, 512, MESSAGES, atLeast[1]);
            keuss(rows, "mongo", step, CallMode.LISTS, BATCH, LIST_MESSAGES, atLeast[2]);
            loop(rows, step, MongoLoop::new, "loop");
            loop(rows, step, MongoFencedLoop::new, "alike");
            inFlightLoop(rows, step);
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

    static String how(CallMode mode, int width) {
        return mode == CallMode.LISTS
                ? "lists of " + width + " by " + LIST_CALLERS + " callers"
                : width + " calls in flight";
    }

    /** Adds a backend compared with the backend of the same name in keuss. */
    private void keuss(
            Map<String, Callable<Row>> rows,
            String backend,
            Step step,
            CallMode mode,
            int width,
            int messages,
            double target) {
        String id = backend + "-" + step.id() + "-" + width + "-keuss";
        String what =
                backend + " " + step.text() + ", " + how(mode, width) + " / keuss, " + KEUSS_IN_FLIGHT + " in flight";
        rows.put(
                id,
                () -> row(
                        id,
                        what,
                        target,
                        step,
                        jono(backend, mode, width, LIST_CALLERS, count(messages)),
                        new Side(
                                testbed -> new KeussProcess(testbed.uri("keuss"), backend, "keuss", KEUSS_IN_FLIGHT),
                                backend,
                                count(KEUSS_MESSAGES))));
    }

    /** Opens a loop that sends {@code batch} messages per call. */
    private interface LoopFactory {
        QueueClient of(String uri, int batch);
    }

    /**
     * Adds one caller with lists compared with a loop.
     *
     * @param kind "alike" if the loop has the same fields and steps as Jono
     */
    private void loop(Map<String, Callable<Row>> rows, Step step, LoopFactory factory, String kind) {
        String id = "mongo-" + step.id() + "-" + BATCH + "-" + kind;
        String what = "mongo " + step.text() + ", one caller, " + BATCH + " per call / driver loop, "
                + (kind.equals("alike") ? "the same, with the same fields and steps" : "the same");
        rows.put(
                id,
                () -> row(
                        id,
                        what,
                        LOOP_TARGET,
                        step,
                        jono("mongo", CallMode.LISTS, BATCH, 1, count(LIST_MESSAGES)),
                        new Side(testbed -> factory.of(testbed.uri("loop"), BATCH), "mongo", count(LIST_MESSAGES))));
    }

    /**
     * Adds calls in flight, of which Jono sends one batch at a time to keep their order, compared with a loop of such
     * batches.
     */
    private void inFlightLoop(Map<String, Callable<Row>> rows, Step step) {
        String id = "mongo-" + step.id() + "-" + KEUSS_IN_FLIGHT + "-alike";
        String what = "mongo " + step.text() + ", " + how(CallMode.ASYNC, KEUSS_IN_FLIGHT)
                + " / driver loop, as many per call, with the same fields and steps";
        rows.put(
                id,
                () -> row(
                        id,
                        what,
                        LOOP_TARGET,
                        step,
                        jono("mongo", CallMode.ASYNC, KEUSS_IN_FLIGHT, LIST_CALLERS, count(MESSAGES)),
                        new Side(
                                testbed -> new MongoFencedLoop(testbed.uri("loop"), KEUSS_IN_FLIGHT),
                                "mongo",
                                count(MESSAGES))));
    }

    /** Adds {@code ps-mongo}, which keeps consumed messages as history, compared with {@code mongo}. */
    private void history(Map<String, Callable<Row>> rows, Step step, double target) {
        String id = "ps-mongo-" + step.id() + "-" + BATCH + "-mongo";
        String what = "ps-mongo " + step.text() + ", " + how(CallMode.LISTS, BATCH) + " / mongo, the same";
        rows.put(
                id,
                () -> row(
                        id,
                        what,
                        target,
                        step,
                        jono("ps-mongo", CallMode.LISTS, BATCH, LIST_CALLERS, count(LIST_MESSAGES)),
                        jono("mongo", CallMode.LISTS, BATCH, LIST_CALLERS, count(LIST_MESSAGES))));
    }

    static Side jono(String backend, CallMode mode, int width, int listCallers, int messages) {
        String queue = "jono-" + backend;
        return new Side(
                testbed -> new JonoClient(testbed.url(backend, queue), queue, mode, width, listCallers),
                backend,
                messages);
    }

    /** Measures a row on a new server. */
    Row row(String id, String what, double target, Step step, Side ours, Side theirs) throws Exception {
        NumberedMessages ourMessages = new NumberedMessages(ours.messages);
        NumberedMessages theirMessages = new NumberedMessages(theirs.messages);
        try (MongoTestbed testbed = new MongoTestbed();
                QueueClient our = ours.client.on(testbed);
                QueueClient their = theirs.client.on(testbed)) {
            Interleaved.warmUp(
                    WARM_UP_ROUNDS, testbed.round(ours.backend, our, step, ourMessages, new MongoLoad(testbed)));
            MongoLoad ourLoad = new MongoLoad(testbed);
            MongoLoad theirLoad = new MongoLoad(testbed);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    testbed.round(ours.backend, our, step, ourMessages, ourLoad),
                    testbed.round(theirs.backend, their, step, theirMessages, theirLoad));
            return Row.ratio(id, what, target, result)
                    .with("oursOnMongo", ourLoad.figures(), ourLoad.toString())
                    .with("theirsOnMongo", theirLoad.figures(), theirLoad.toString());
        }
    }

    /** Reserve+ack in lists of 100 with a long backlog, compared with a short one. */
    private Row backlog() throws Exception {
        int deep = Math.max(10_000, (int) (2_000_000 * scale));
        int messages = count(20_000);
        String payload = "x".repeat(200);
        try (MongoTestbed testbed = new MongoTestbed();
                QueueFactory jono = QueueFactory.connect(testbed.url("mongo", "backlog"))) {
            MessageQueue<String> big = jono.queue("big", Codec.string());
            MessageQueue<String> small = jono.queue("small", Codec.string());
            SteadyBacklog.fill(big, payload, deep);
            SteadyBacklog.fill(small, payload, 1000);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds, () -> SteadyBacklog.run(big, messages), () -> SteadyBacklog.run(small, messages));
            return Row.ratio(
                    "mongo-backlog",
                    String.format("mongo reserve+ack with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }
}

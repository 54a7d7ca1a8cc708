package dev.jono.benchmarks;

import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.benchmarks.JonoClient.Manner;
import dev.jono.benchmarks.MongoRows.Side;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The demands on the speed of buckets, beside keuss, which confirms a push before it is stored (ours are on the disk of a
 * majority by then), and beside a hand-written loop.
 */
final class BucketRows {
    private static final String SAFE = "bucket-mongo-safe";
    private static final String PLAIN = "bucket-mongo";
    private static final int LIST = 1000;
    private static final int IN_FLIGHT = 4096;
    private static final int LIST_CALLERS = 4;

    private static final double LOOP_DEMAND = 0.8;

    /** Messages of a round. */
    private static final int OURS = 200_000;

    private static final int THEIRS = 20_000;

    private final MongoRows mongo;

    BucketRows(MongoRows mongo) {
        this.mongo = mongo;
    }

    /** Adds the cells to the rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        Map<Step, Double> demands = new LinkedHashMap<>();
        demands.put(Step.PUSH, 1.2);
        demands.put(Step.POP, 2.5);
        demands.put(Step.RESERVE_ACK, 2.5);
        demands.forEach((step, demand) -> {
            keuss(rows, step, Manner.LISTS, LIST, demand);
            keuss(rows, step, Manner.ASYNC, IN_FLIGHT, demand);
            loops(rows, SAFE, step);
        });
        plain(rows, Step.PUSH, Manner.LISTS, LIST, 1);
        plain(rows, Step.PUSH, Manner.ASYNC, IN_FLIGHT, 1);
        plain(rows, Step.POP, Manner.LISTS, LIST, 1.2);
        plain(rows, Step.POP, Manner.ASYNC, IN_FLIGHT, 1.2);
        loops(rows, PLAIN, Step.PUSH);
        loops(rows, PLAIN, Step.POP);
    }

    private Side jono(String backend, Manner manner, int width) {
        return MongoRows.jono(backend, manner, width, LIST_CALLERS, mongo.count(OURS));
    }

    private void keuss(Map<String, Callable<Row>> rows, Step step, Manner manner, int width, double demand) {
        String id = SAFE + "-" + step.id() + "-" + width + "-keuss";
        String what = SAFE + " " + step.text() + ", " + MongoRows.how(manner, width) + " / keuss, "
                + MongoRows.KEUSS_IN_FLIGHT + " in flight";
        Side theirs = new Side(
                bench -> new KeussProcess(bench.uri("keuss"), SAFE, "keuss", MongoRows.KEUSS_IN_FLIGHT),
                SAFE,
                mongo.count(THEIRS));
        rows.put(id, () -> mongo.cell(id, what, demand, step, jono(SAFE, manner, width), theirs));
    }

    private void plain(Map<String, Callable<Row>> rows, Step step, Manner manner, int width, double demand) {
        String id = PLAIN + "-" + step.id() + "-" + width + "-safe";
        String what = PLAIN + " " + step.text() + ", " + MongoRows.how(manner, width) + " / " + SAFE + ", the same";
        rows.put(id, () -> mongo.cell(id, what, demand, step, jono(PLAIN, manner, width), jono(SAFE, manner, width)));
    }

    private void loops(Map<String, Callable<Row>> rows, String backend, Step step) {
        loop(rows, backend, step, Manner.LISTS, LIST);
        loop(rows, backend, step, Manner.ASYNC, IN_FLIGHT);
    }

    private void loop(Map<String, Callable<Row>> rows, String backend, Step step, Manner manner, int width) {
        String id = backend + "-" + step.id() + "-" + width + "-loop";
        String what = backend + " " + step.text() + ", " + MongoRows.how(manner, width)
                + " / driver loop, the same, with the same fields";
        int inFlight = manner == Manner.ASYNC ? width : 0;
        Side theirs = new Side(
                bench -> new BucketLoop(bench.uri("loop"), backend.equals(SAFE), inFlight), backend, mongo.count(OURS));
        rows.put(id, () -> mongo.cell(id, what, LOOP_DEMAND, step, jono(backend, manner, width), theirs));
    }
}

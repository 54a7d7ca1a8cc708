package dev.jono.benchmarks;

import dev.jono.benchmarks.JonoClient.CallMode;
import dev.jono.benchmarks.MongoRows.Side;
import dev.jono.benchmarks.QueueClient.Step;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Rows that compare the bucket backends with keuss, with {@link BucketLoop} and with each other. keuss confirms a push
 * before it stores the bucket; Jono confirms it when the bucket is in the journal of a majority.
 */
final class BucketRows {
    private static final String SAFE = "bucket-mongo-safe";
    private static final String PLAIN = "bucket-mongo";
    private static final int LIST = 1000;
    private static final int IN_FLIGHT = 4096;
    private static final int LIST_CALLERS = 4;

    private static final double LOOP_TARGET = 0.8;

    /** The messages of a round of Jono or the loop. */
    private static final int MESSAGES = 200_000;

    /** The messages of a round of keuss. */
    private static final int KEUSS_MESSAGES = 20_000;

    private final MongoRows mongo;

    BucketRows(MongoRows mongo) {
        this.mongo = mongo;
    }

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        Map<Step, Double> targets = new LinkedHashMap<>();
        targets.put(Step.PUSH, 1.2);
        targets.put(Step.POP, 2.5);
        targets.put(Step.RESERVE_ACK, 2.5);
        targets.forEach((step, target) -> {
            keuss(rows, step, CallMode.LISTS, LIST, target);
            keuss(rows, step, CallMode.ASYNC, IN_FLIGHT, target);
            loops(rows, SAFE, step);
        });
        plain(rows, Step.PUSH, CallMode.LISTS, LIST, 1);
        plain(rows, Step.PUSH, CallMode.ASYNC, IN_FLIGHT, 1);
        plain(rows, Step.POP, CallMode.LISTS, LIST, 1.2);
        plain(rows, Step.POP, CallMode.ASYNC, IN_FLIGHT, 1.2);
        loops(rows, PLAIN, Step.PUSH);
        loops(rows, PLAIN, Step.POP);
    }

    private Side jono(String backend, CallMode mode, int width) {
        return MongoRows.jono(backend, mode, width, LIST_CALLERS, mongo.count(MESSAGES));
    }

    /** Adds {@code bucket-mongo-safe} compared with keuss. */
    private void keuss(Map<String, Callable<Row>> rows, Step step, CallMode mode, int width, double target) {
        String id = SAFE + "-" + step.id() + "-" + width + "-keuss";
        String what = SAFE + " " + step.text() + ", " + MongoRows.how(mode, width) + " / keuss, "
                + MongoRows.KEUSS_IN_FLIGHT + " in flight";
        Side theirs = new Side(
                testbed -> new KeussProcess(testbed.uri("keuss"), SAFE, "keuss", MongoRows.KEUSS_IN_FLIGHT),
                SAFE,
                mongo.count(KEUSS_MESSAGES));
        rows.put(id, () -> mongo.row(id, what, target, step, jono(SAFE, mode, width), theirs));
    }

    /** Adds {@code bucket-mongo} compared with {@code bucket-mongo-safe}. */
    private void plain(Map<String, Callable<Row>> rows, Step step, CallMode mode, int width, double target) {
        String id = PLAIN + "-" + step.id() + "-" + width + "-safe";
        String what = PLAIN + " " + step.text() + ", " + MongoRows.how(mode, width) + " / " + SAFE + ", the same";
        rows.put(id, () -> mongo.row(id, what, target, step, jono(PLAIN, mode, width), jono(SAFE, mode, width)));
    }

    /** Adds a backend compared with the loop, with lists and with calls in flight. */
    private void loops(Map<String, Callable<Row>> rows, String backend, Step step) {
        loop(rows, backend, step, CallMode.LISTS, LIST);
        loop(rows, backend, step, CallMode.ASYNC, IN_FLIGHT);
    }

    private void loop(Map<String, Callable<Row>> rows, String backend, Step step, CallMode mode, int width) {
        String id = backend + "-" + step.id() + "-" + width + "-loop";
        String what = backend + " " + step.text() + ", " + MongoRows.how(mode, width)
                + " / driver loop, the same, with the same fields";
        int inFlight = mode == CallMode.ASYNC ? width : 0;
        Side theirs = new Side(
                testbed -> new BucketLoop(testbed.uri("loop"), backend.equals(SAFE), inFlight),
                backend,
                mongo.count(MESSAGES));
        rows.put(id, () -> mongo.row(id, what, LOOP_TARGET, step, jono(backend, mode, width), theirs));
    }
}

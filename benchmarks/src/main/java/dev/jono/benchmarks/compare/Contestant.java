package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.Map;
import java.util.Set;

/**
 * A queue library or a loop that takes part in the comparison, with its storage and settings. {@link Contestants} lists
 * all.
 *
 * @param id the name for {@code --only}, in the result files and for {@link Targets}
 * @param name the name in tables and charts
 * @param storage where its messages are stored
 * @param driver a name of {@link Drivers}, or the name of a folder of {@code benchmarks/peers} for a library that runs in Node
 * @param settings the settings of the driver; {@link Session} adds those of the server
 * @param steps the ways in which it can take messages
 * @param flow whether one process can push while another one takes
 * @param counterpart the id of the Jono contestant with which it is compared: as durable, on the same storage if there
 *     is one; empty for none
 * @param best how the driver uses it when it is at its best, as text
 * @param survives what survives a crash or the loss of power, if that is less than the storage keeps, because it
 *     answers before it stores; otherwise empty
 * @param variant whether it is a second way to use the same library; it then takes part only in works at its best
 * @param jobs whether it enqueues and runs jobs; it then takes part only in works with jobs, and other contestants do not
 */
record Contestant(
        String id,
        String name,
        Storage storage,
        String driver,
        Map<String, String> settings,
        Set<Step> steps,
        boolean flow,
        String counterpart,
        String best,
        String survives,
        boolean variant,
        boolean jobs) {
    private static final Set<String> IN_NODE = Set.of("keuss", "bullmq", "queue-farm", "kue", "graphile-worker");

    /** A contestant that keeps what its storage keeps. */
    Contestant(
            String id,
            String name,
            Storage storage,
            String driver,
            Map<String, String> settings,
            Set<Step> steps,
            boolean flow,
            String counterpart,
            String best) {
        this(id, name, storage, driver, settings, steps, flow, counterpart, best, "", false, false);
    }

    /** Returns this contestant with less durability than its storage. */
    Contestant surviving(String what) {
        return new Contestant(id, name, storage, driver, settings, steps, flow, counterpart, best, what, variant, jobs);
    }

    /** Returns this contestant as a variant of another one. */
    Contestant asVariant() {
        return new Contestant(
                id, name, storage, driver, settings, steps, flow, counterpart, best, survives, true, jobs);
    }

    /** Returns this contestant as one that enqueues and runs jobs. */
    Contestant forJobs() {
        return new Contestant(
                id, name, storage, driver, settings, steps, flow, counterpart, best, survives, variant, true);
    }

    /** Returns what survives {@code kill -9} of server and client. */
    String survivesKill() {
        return survives.isEmpty() ? storage.survivesKill() : survives;
    }

    /** Returns what survives the loss of power. */
    String survivesPowerLoss() {
        return survives.isEmpty() ? storage.survivesPowerLoss() : survives;
    }

    /**
     * Returns the minimum number of messages in a round. With fewer messages, JobRunr's flow would measure its poll
     * interval, and the buckets of keuss the half second for which a bucket waits to be filled.
     */
    int minMessages(Work work) {
        boolean flows = work.kind() == Work.Kind.FLOW;
        if (driver.equals("jobrunr")) {
            return flows ? 5_000 : 0;
        }
        boolean waits = driver.equals("keuss") && id.contains("bucket");
        boolean many = flows || (work.kind() == Work.Kind.STEPS && work.width() != 1 && work.queues() == 0);
        return waits && many ? 50_000 : 0;
    }

    /** Returns whether its driver supports several queues. */
    boolean manyQueues() {
        return !driver.equals("bare") && !driver.equals("jobrunr") && !driver.equals("graphile-worker");
    }

    /** Returns whether it is Jono. */
    boolean ours() {
        return driver.equals("jono") || driver.equals("jono-jobs");
    }

    /** Returns whether it is a library for Node. */
    boolean inNode() {
        return IN_NODE.contains(driver);
    }
}

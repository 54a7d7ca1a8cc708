package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.Map;
import java.util.Set;

/**
 * Somebody who moves messages.
 *
 * @param id by which {@code --only} and the demands name it
 * @param name for people
 * @param storage where its messages lie
 * @param driver a name of {@link Drivers}, or {@code keuss} or {@code bullmq}, which run in Node
 * @param settings of the driver; those of the server are added
 * @param steps what it can do besides pushing
 * @param flow whether producers and consumers may be separate processes
 * @param against the one of ours that it is compared to: as durable, on the same storage where there is one; empty for none
 * @param best how it is driven at its best
 * @param losesAtKill what survives less than the storage keeps, because it acknowledges before it stores; else empty
 * @param variant whether it is another's second way, and takes part only where all are at their best
 */
record Contestant(
        String id,
        String name,
        Storage storage,
        String driver,
        Map<String, String> settings,
        Set<Step> steps,
        boolean flow,
        String against,
        String best,
        String losesAtKill,
        boolean variant) {

    /** One that keeps what its storage keeps. */
    Contestant(
            String id,
            String name,
            Storage storage,
            String driver,
            Map<String, String> settings,
            Set<Step> steps,
            boolean flow,
            String against,
            String best) {
        this(id, name, storage, driver, settings, steps, flow, against, best, "", false);
    }

    /** The same, but that it loses what it has acknowledged and not stored. */
    Contestant losing(String survives) {
        return new Contestant(id, name, storage, driver, settings, steps, flow, against, best, survives, variant);
    }

    /** The same as a second way. */
    Contestant asVariant() {
        return new Contestant(id, name, storage, driver, settings, steps, flow, against, best, losesAtKill, true);
    }

    /** What survives {@code kill -9} of server and client. */
    String survivesKill() {
        return losesAtKill.isEmpty() ? storage.survivesKill() : losesAtKill;
    }

    /** What survives the loss of power. */
    String survivesPowerLoss() {
        return losesAtKill.isEmpty() ? storage.survivesPowerLoss() : losesAtKill;
    }

    /**
     * Messages of the shortest round of a work: JobRunr's flow would measure its polls, and keuss's buckets, which wait up to
     * half a second to be filled, would measure that.
     */
    int least(Work work) {
        boolean flows = work.kind() == Work.Kind.FLOW;
        if (driver.equals("jobrunr")) {
            return flows ? 5_000 : 0;
        }
        boolean waits = driver.equals("keuss") && id.contains("bucket");
        boolean many = flows || (work.kind() == Work.Kind.STEPS && work.width() != 1 && work.queues() == 0);
        return waits && many ? 50_000 : 0;
    }

    /** Whether it has more than one queue. */
    boolean queues() {
        return !driver.equals("bare") && !driver.equals("jobrunr");
    }

    /** Whether it is Jono. */
    boolean ours() {
        return driver.equals("jono");
    }
}

package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.WorkerStatus;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.RunningJob;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What a runner tells other processes, as JSON. Version 1 of the layout, with times in milliseconds:
 *
 * <pre>{@code
 * {"v": 1, "name": "17@shop", "host": "shop", "pid": 17, "state": "RUNNING", "types": ["resize"], "concurrency": 8, "running": 1,
 *  "jobs": [{"id": "resize:7", "attempt": 1, "started": 1795707822000}], "started": 1795707821000, "seen": 1795707826000}
 * }</pre>
 *
 * Thread-safe.
 */
final class RunnerReport {
    private static final int VERSION = 1;
    private static final String NAME = "name";
    private static final String HOST = "host";
    private static final String PID = "pid";
    private static final String STATE = "state";
    private static final String TYPES = "types";
    private static final String CONCURRENCY = "concurrency";
    private static final String RUNNING = "running";
    private static final String JOBS = "jobs";
    private static final String ID = "id";
    private static final String ATTEMPT = "attempt";
    /** More would make the entry of a runner large, and nobody reads them all. */
    private static final int MAX_JOBS = 100;

    private static final String STARTED = "started";
    private static final String SEEN = "seen";

    private final String id = UUID.randomUUID().toString();
    private final RunnerSettings settings;
    private final Supplier<WorkerStatus> status;
    private final RunnerRuns runs;
    private final String host = ThisProcess.host();
    /** The time of the first report; 0 before it. */
    private volatile long startedMillis;

    private volatile boolean stopping;

    RunnerReport(RunnerSettings settings, Supplier<WorkerStatus> status, RunnerRuns runs) {
        this.settings = settings;
        this.status = status;
        this.runs = runs;
    }

    /** The name of the entry. */
    String id() {
        return id;
    }

    /** The runner starts no more jobs. Returns whether it waits for running ones. */
    boolean stopping() {
        stopping = true;
        return status.get().running() > 0;
    }

    /** The document at a time of the storage. One call at a time. */
    String text(long nowMillis) {
        if (startedMillis == 0) {
            startedMillis = nowMillis;
        }
        ObjectNode node = JobJson.object();
        node.put("v", VERSION);
        node.put(NAME, settings.name());
        node.put(HOST, host);
        node.put(PID, ThisProcess.pid());
        node.put(STATE, (stopping ? RunnerView.State.STOPPING : RunnerView.State.RUNNING).name());
        ArrayNode types = node.putArray(TYPES);
        settings.types().forEach(types::add);
        node.put(CONCURRENCY, settings.concurrency());
        node.put(RUNNING, status.get().running());
        ArrayNode jobs = node.putArray(JOBS);
        runs.longest(MAX_JOBS)
                .forEach(run -> jobs.addObject()
                        .put(ID, run.id())
                        .put(ATTEMPT, run.attempt())
                        .put(STARTED, nowMillis - run.runMillis()));
        node.put(STARTED, startedMillis);
        node.put(SEEN, nowMillis);
        return node.toString();
    }

    /** Reads an entry. States that this version does not know count as running. */
    static RunnerView view(StoredEntry entry) {
        ObjectNode node = JobJson.parse(entry.document());
        List<String> types = new ArrayList<>();
        node.path(TYPES).forEach(type -> types.add(type.asText()));
        List<RunningJob> jobs = new ArrayList<>();
        node.path(JOBS)
                .forEach(job -> jobs.add(
                        new RunningJob(job.path(ID).asText(), job.path(ATTEMPT).asInt(), time(job, STARTED))));
        return new RunnerView(
                entry.name(),
                node.path(NAME).asText(),
                node.path(HOST).asText(),
                node.path(PID).asLong(),
                node.path(STATE).asText().equals(RunnerView.State.STOPPING.name())
                        ? RunnerView.State.STOPPING
                        : RunnerView.State.RUNNING,
                types,
                node.path(CONCURRENCY).asInt(),
                node.path(RUNNING).asInt(),
                jobs,
                time(node, STARTED),
                time(node, SEEN));
    }

    private static Instant time(JsonNode node, String field) {
        return Instant.ofEpochMilli(node.path(field).asLong());
    }
}

package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.EncodedPayload;
import dev.jono.jobs.BatchOptions;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.spi.RecordState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A batch, as JSON. Fields that this version does not know are kept. Version 1 of the layout, with times in milliseconds:
 *
 * <pre>{@code
 * {"v": 1, "state": "OPEN", "added": 3, "succeeded": 1, "failed": 0, "types": ["import"], "changed": 1795707821000, "audits": 0,
 *  "callbacks": {"success": {"type": "publish", "priority": "NORMAL", "kind": "json", "payload": "{}"}}}
 * }</pre>
 *
 * Not thread-safe.
 */
final class BatchDocument {
    private static final int VERSION = 1;
    private static final String STATE = "state";
    private static final String ADDED = "added";
    private static final String TYPES = "types";
    private static final String CALLBACKS = "callbacks";

    private final ObjectNode node;

    private BatchDocument(ObjectNode node) {
        this.node = node;
    }

    /**
     * A job that the batch enqueues.
     *
     * @param type the name of its type
     */
    record Callback(String type, JobPriority priority, EncodedPayload payload) {}

    static BatchDocument create() {
        ObjectNode node = JobJson.object();
        node.put("v", VERSION);
        node.put(STATE, BatchView.State.OPEN.name());
        return new BatchDocument(node);
    }

    static BatchDocument parse(String text) {
        return new BatchDocument(JobJson.parse(text));
    }

    String text() {
        return node.toString();
    }

    BatchView.State state() {
        return BatchView.State.valueOf(node.path(STATE).asText(BatchView.State.OPEN.name()));
    }

    void state(BatchView.State state) {
        node.put(STATE, state.name());
    }

    /** Adds jobs of a type; fewer if negative. */
    void add(String type, long jobs) {
        node.put(ADDED, node.path(ADDED).asLong() + jobs);
        if (!types().contains(type)) {
            node.withArray(TYPES).add(type);
        }
    }

    List<String> types() {
        List<String> types = new ArrayList<>();
        node.path(TYPES).forEach(type -> types.add(type.asText()));
        return types;
    }

    /** Counts jobs that have ended; fewer if negative. */
    void ended(RecordState state, long jobs) {
        String field = state.name().toLowerCase(Locale.ROOT);
        node.put(field, node.path(field).asLong() + jobs);
    }

    BatchView view(String name) {
        return new BatchView(
                name,
                state(),
                node.path(ADDED).asLong(),
                node.path("succeeded").asLong(),
                node.path("failed").asLong(),
                node.path("cancelled").asLong(),
                node.path("expired").asLong());
    }

    /** Notes the time of a change of the numbers: audits begin anew. */
    void changedAt(Instant time) {
        node.put("changed", time.toEpochMilli());
        node.remove("audits");
    }

    /** Notes that an audit has found a job that has not ended. */
    void audited() {
        node.put("audits", audits() + 1);
    }

    int audits() {
        return node.path("audits").asInt();
    }

    /** For how long its numbers have not changed. */
    Duration idleFor(Instant now) {
        return Duration.between(Instant.ofEpochMilli(node.path("changed").asLong()), now);
    }

    void callback(BatchOptions.When when, Callback callback) {
        ObjectNode added = node.withObject("/" + CALLBACKS).putObject(field(when));
        added.put("type", callback.type);
        added.put("priority", callback.priority.name());
        PayloadFields.put(added, callback.payload);
    }

    Optional<Callback> callback(BatchOptions.When when) {
        return node.path(CALLBACKS).path(field(when)) instanceof ObjectNode found
                ? Optional.of(
                        new Callback(found.path("type").asText(), JobJson.priority(found), PayloadFields.get(found)))
                : Optional.empty();
    }

    private static String field(BatchOptions.When when) {
        return when.name().toLowerCase(Locale.ROOT);
    }
}

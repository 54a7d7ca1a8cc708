package dev.jono.jobs.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.PayloadKind;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.spi.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a record, as JSON. Fields that this version does not know are kept. Version 1 of the layout:
 *
 * <pre>{@code
 * {"v": 1, "priority": "NORMAL", "kind": "json", "payload": "{\"file\":\"a.png\"}", "enqueued": 1795707821000, "tags": ["eu"], "key": "A-17", "limitPerKey": 1, "batch": "import-17", "latest": true,
 *  "attempts": [{"n": 1, "by": "17@web1", "due": 1795707821000, "from": 1795707821100, "to": 1795707821200, "error": "java.io.IOException: gone"}],
 *  "progress": {"done": 1, "total": 3, "data": {}}, "result": {"width": 100}, "reason": "…",
 *  "steps": {"invoice": {"kind": "json", "payload": "17"}}}
 * }</pre>
 *
 * Not thread-safe.
 */
final class JobDocument {
    static final int VERSION = 1;
    private static final int MAX_ATTEMPTS = 25;
    /** Numbers keep all their digits. Threads share buffers: a virtual thread would make new ones for each document. */
    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final Supplier<ObjectNode> source;
    private @Nullable ObjectNode content;

    private JobDocument(Supplier<ObjectNode> source) {
        this.source = source;
    }

    private JobDocument(ObjectNode content) {
        this(() -> content);
    }

    private ObjectNode node() {
        if (content == null) {
            content = source.get();
        }
        return content;
    }

    /** The document of a job without a record. It is made when it is used: many jobs never have a record. */
    static JobDocument of(Message<EncodedPayload> message, JobPriority priority) {
        return new JobDocument(() -> newContent(message, priority));
    }

    private static ObjectNode newContent(Message<EncodedPayload> message, JobPriority priority) {
        ObjectNode node = JSON.createObjectNode();
        node.put("v", VERSION);
        node.put("priority", priority.name());
        PayloadFields.put(node, message.raw());
        message.pushedAt().ifPresent(at -> node.put("enqueued", at.toEpochMilli()));
        Set<String> tags = JobHeaders.tags(message.headers());
        if (!tags.isEmpty()) {
            ArrayNode array = node.putArray("tags");
            tags.forEach(array::add);
        }
        String key = message.headers().string(Headers.KEY);
        if (key != null) {
            node.put("key", key);
            node.put("limitPerKey", JobHeaders.limitPerKey(message.headers()));
        }
        String batch = JobHeaders.batch(message.headers());
        if (batch != null) {
            node.put("batch", batch);
        }
        return node;
    }

    /**
     * The document of a job that has not ended: that of its record; a new one if there is none, or it is damaged. Its priority is that
     * of the message, because a change of the priority does not write the record.
     */
    static JobDocument of(Optional<StoredRecord> record, Message<EncodedPayload> message, JobPriority priority) {
        Optional<JobDocument> recorded = record.flatMap(JobDocument::ofRecord);
        recorded.ifPresent(document -> document.node().put("priority", priority.name()));
        return recorded.orElseGet(() -> of(message, priority));
    }

    static JobDocument parse(String text) {
        try {
            return new JobDocument((ObjectNode) JSON.readTree(text));
        } catch (JsonProcessingException | ClassCastException damaged) {
            throw new IllegalStateException("the record of a job is damaged: " + text, damaged);
        }
    }

    /** The document of a record; empty if it is damaged. */
    static Optional<JobDocument> ofRecord(StoredRecord record) {
        try {
            return Optional.of(parse(record.document()));
        } catch (IllegalStateException damaged) {
            return Optional.empty();
        }
    }

    String text() {
        try {
            return JSON.writeValueAsString(node());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible); // a tree is written to memory
        }
    }

    /** Whether a handler has begun this job. */
    boolean begun() {
        return node().path("begun").asBoolean();
    }

    void setBegun() {
        node().put("begun", true);
    }

    JobPriority priority() {
        return JobJson.priority(node());
    }

    EncodedPayload payload() {
        return PayloadFields.get(node());
    }

    /** Whether a first run of a job with {@link dev.jono.jobs.UniqueMode#LATEST} has chosen its payload. */
    boolean hasChosenPayload() {
        return node().has("latest");
    }

    /**
     * Keeps the payload of a job with {@link dev.jono.jobs.UniqueMode#LATEST} for all its runs.
     *
     * @param newest the payload that a duplicate has given to the job; null for that of the message
     */
    void choosePayload(@Nullable EncodedPayload newest) {
        node().put("latest", newest != null);
        if (newest != null) {
            PayloadFields.put(node(), newest);
        }
    }

    /** The payload that a duplicate has given to the job; null for that of the message. */
    @Nullable EncodedPayload replacedPayload() {
        return node().path("latest").asBoolean() ? payload() : null;
    }

    Optional<Instant> enqueuedAt() {
        return node().has("enqueued")
                ? Optional.of(Instant.ofEpochMilli(node().path("enqueued").asLong()))
                : Optional.empty();
    }

    Set<String> tags() {
        Set<String> tags = new LinkedHashSet<>();
        node().path("tags").forEach(tag -> tags.add(tag.asText()));
        return tags;
    }

    /** The ordering key. */
    Optional<String> key() {
        return node().hasNonNull("key") ? Optional.of(node().path("key").asText()) : Optional.empty();
    }

    /** The name of the batch. */
    Optional<String> batch() {
        return node().hasNonNull("batch") ? Optional.of(node().path("batch").asText()) : Optional.empty();
    }

    /** How many jobs with the ordering key may run at the same time. */
    int limitPerKey() {
        return node().path("limitPerKey").asInt(1);
    }

    List<JobAttempt> attempts() {
        List<JobAttempt> attempts = new ArrayList<>();
        for (JsonNode attempt : node().path("attempts")) {
            attempts.add(new JobAttempt(
                    attempt.path("n").asInt(),
                    attempt.path("by").asText(),
                    time(attempt.path("due")),
                    time(attempt.path("from")),
                    Instant.ofEpochMilli(attempt.path("to").asLong()),
                    attempt.hasNonNull("error") ? attempt.path("error").asText() : null));
        }
        return attempts;
    }

    private static @Nullable Instant time(JsonNode millis) {
        return millis.isNumber() ? Instant.ofEpochMilli(millis.asLong()) : null;
    }

    void addAttempt(JobAttempt attempt) {
        ArrayNode attempts = node().withArray("attempts");
        ObjectNode added = attempts.addObject();
        added.put("n", attempt.number());
        added.put("by", attempt.runner());
        if (attempt.due() != null) {
            added.put("due", attempt.due().toEpochMilli());
        }
        if (attempt.start() != null) {
            added.put("from", attempt.start().toEpochMilli());
        }
        added.put("to", attempt.end().toEpochMilli());
        if (attempt.error() != null) {
            added.put("error", attempt.error());
        }
        while (attempts.size() > MAX_ATTEMPTS) {
            attempts.remove(0);
        }
    }

    /**
     * Adds the runs whose ends no runner has recorded.
     *
     * @param last the number of the last run that has begun
     */
    void addLost(int last, Instant noticed, String error) {
        JsonNode attempts = node().path("attempts");
        int recorded = attempts.path(attempts.size() - 1).path("n").asInt();
        // After a retry by hand, the numbers begin at 1 again.
        int first = recorded > last ? 1 : recorded + 1;
        for (int number = Math.max(first, last - MAX_ATTEMPTS + 1); number <= last; number++) {
            addAttempt(new JobAttempt(number, "", null, null, noticed, error));
        }
    }

    Optional<JobProgress> progress() {
        JsonNode progress = node().path("progress");
        return progress.isObject()
                ? Optional.of(new JobProgress(
                        progress.path("done").asLong(),
                        progress.path("total").asLong(),
                        progress.hasNonNull("data") ? progress.path("data").toString() : null))
                : Optional.empty();
    }

    void progress(long done, long total, @Nullable String dataJson) {
        ObjectNode progress = node().putObject("progress");
        progress.put("done", done);
        progress.put("total", total);
        if (dataJson != null) {
            progress.set("data", tree(dataJson));
        }
    }

    /** The encoded result; empty if there is none. */
    Optional<EncodedPayload> result() {
        if (node().has("result")) {
            return Optional.of(EncodedPayload.of(
                    PayloadKind.JSON, node().path("result").toString().getBytes(StandardCharsets.UTF_8)));
        }
        return node().has("resultText")
                ? Optional.of(EncodedPayload.of(
                        PayloadKind.STRING, node().path("resultText").asText().getBytes(StandardCharsets.UTF_8)))
                : Optional.empty();
    }

    void result(EncodedPayload encoded) {
        if (encoded.kind() == PayloadKind.JSON) {
            node().set("result", tree(encoded.text()));
        } else {
            node().put("resultText", encoded.text());
        }
    }

    /** Checks that a result can be stored: that it is JSON, or text. */
    static EncodedPayload checkResult(EncodedPayload encoded) {
        switch (encoded.kind()) {
            case JSON -> tree(encoded.text());
            case STRING -> {}
            case BYTES -> throw new IllegalArgumentException("a result must be JSON or text, not bytes");
        }
        return encoded;
    }

    /** A value as JSON; a text becomes a string of JSON. */
    static String json(EncodedPayload encoded) {
        return encoded.kind() == PayloadKind.JSON
                ? encoded.text()
                : JsonNodeFactory.instance.textNode(encoded.text()).toString();
    }

    /** The recorded result of a step. */
    Optional<EncodedPayload> step(String name) {
        JsonNode step = node().path("steps").path(name);
        return step instanceof ObjectNode found ? Optional.of(PayloadFields.get(found)) : Optional.empty();
    }

    /** Records the result of a step; false if the steps are too large then. */
    boolean recordStep(String name, EncodedPayload result, int maxCharacters) {
        ObjectNode steps = node().withObject("/steps");
        PayloadFields.put(steps.putObject(name), result);
        if (steps.toString().length() > maxCharacters) {
            steps.remove(name);
            return false;
        }
        return true;
    }

    /** The job has succeeded: its steps are not needed any more. */
    void forgetSteps() {
        node().remove("steps");
    }

    Optional<String> reason() {
        return node().hasNonNull("reason") ? Optional.of(node().path("reason").asText()) : Optional.empty();
    }

    void reason(@Nullable String text) {
        if (text == null) {
            node().remove("reason");
        } else {
            node().put("reason", text);
        }
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + json, e);
        }
    }
}

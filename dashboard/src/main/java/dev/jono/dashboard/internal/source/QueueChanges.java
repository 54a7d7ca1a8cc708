package dev.jono.dashboard.internal.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.EditOutcome;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.RemoveOutcome;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.Json;
import dev.jono.dashboard.internal.http.ProblemException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** What users change on queues and messages. Each change is checked against the rights of the user, and logged. Thread-safe. */
public final class QueueChanges {
    private static final Duration UNIQUE_WINDOW = Duration.ofHours(1);

    /** Pauses or resumes a queue. */
    public void pause(Source source, Viewer viewer, String queue, boolean paused) {
        viewer.require(Operation.PAUSE, queue);
        MessageQueue<EncodedPayload> messages = source.existing(queue);
        if (paused) {
            messages.pause();
        } else {
            messages.resume();
        }
        source.changed(queue);
        viewer.did(source, (paused ? "paused" : "resumed") + " queue '" + queue + "'");
    }

    /** Removes all messages of a queue that nobody holds. Returns how many. */
    public long purge(Source source, Viewer viewer, String queue) {
        viewer.require(Operation.PURGE, queue);
        long purged = source.existing(queue).purge();
        source.changed(queue);
        viewer.did(source, "purged " + purged + " messages of queue '" + queue + "'");
        return purged;
    }

    /** Sends dead letters back to the queues that they came from. Returns how many. */
    public long redrive(Source source, Viewer viewer, String queue, int max) {
        viewer.require(Operation.REDRIVE, queue);
        long redriven = source.existing(queue).redrive(max);
        source.changed(queue);
        viewer.did(source, "redrove " + redriven + " messages of queue '" + queue + "'");
        return redriven;
    }

    /** Pushes a message. Its queue is made if it is new. */
    public PushResult push(Source source, Viewer viewer, String queue, Input input) {
        viewer.require(Operation.PUSH, queue);
        EncodedPayload payload = payload(input);
        PushOptions options = options(input);
        PushResult result = source.queue(queue).push(payload, options);
        source.changed(queue);
        viewer.did(source, "pushed message " + result.id() + " to queue '" + queue + "'");
        return result;
    }

    private static EncodedPayload payload(Input input) {
        String kind = input.text("kind").orElse("json");
        JsonNode node = input.node("payload");
        if (kind.equals("json") && node != null) {
            return EncodedPayload.of(PayloadKind.JSON, Json.write(node));
        }
        return payload(kind, input.required("payload"));
    }

    /** A payload of one of the kinds json, string and bytes (in Base64). */
    static EncodedPayload payload(String kind, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        switch (kind) {
            case "json" -> {
                if (Json.parse(bytes).isEmpty()) {
                    throw ProblemException.bad("the payload is not JSON; choose the kind string for a text");
                }
                return EncodedPayload.of(PayloadKind.JSON, bytes);
            }
            case "string" -> {
                return EncodedPayload.of(PayloadKind.STRING, bytes);
            }
            case "bytes" -> {
                try {
                    return EncodedPayload.of(
                            PayloadKind.BYTES, Base64.getDecoder().decode(text.strip()));
                } catch (IllegalArgumentException e) {
                    throw ProblemException.bad("the payload is not Base64");
                }
            }
            default -> throw ProblemException.bad("'kind' must be json, string or bytes");
        }
    }

    private static PushOptions options(Input input) {
        Optional<Instant> due = input.instant("dueAt");
        PushOptions options = due.map(PushOptions::at)
                .orElseGet(() -> PushOptions.delay(input.duration("delay").orElse(Duration.ZERO)));
        JsonNode headers = input.node("headers");
        if (headers != null) {
            for (Map.Entry<String, JsonNode> field : headers.properties()) {
                options = options.header(field.getKey(), headerValue(field.getKey(), field.getValue()));
            }
        }
        Optional<String> key = input.text("key");
        if (key.isPresent()) {
            options = options.key(key.get());
        }
        Optional<String> unique = input.text("unique");
        return unique.isEmpty()
                ? options
                : options.unique(unique.get(), input.duration("window").orElse(UNIQUE_WINDOW));
    }

    private static Object headerValue(String name, JsonNode value) {
        if (value.isTextual()) {
            return value.asText();
        }
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            return value.asLong();
        }
        if (value.isNumber()) {
            return value.asDouble();
        }
        throw ProblemException.bad("header '" + name + "' must be a text, a number, or true or false");
    }

    /** Removes a message that nobody holds. */
    public void remove(Source source, Viewer viewer, String queue, String id) {
        viewer.require(Operation.REMOVE, queue);
        RemoveOutcome outcome = source.existing(queue).remove(id);
        refuse(outcome == RemoveOutcome.HELD, outcome == RemoveOutcome.ABSENT, queue, id);
        source.changed(queue);
        viewer.did(source, "removed message " + id + " of queue '" + queue + "'");
    }

    /** Moves a message that nobody holds to another queue. */
    public void move(Source source, Viewer viewer, String queue, String id, String toQueue) {
        viewer.require(Operation.MOVE, queue);
        viewer.require(Operation.PUSH, toQueue);
        source.queue(toQueue); // refuses a wrong name
        edited(source.existing(queue).moveIdle(id, toQueue), queue, id);
        source.changed(queue);
        source.changed(toQueue);
        viewer.did(source, "moved message " + id + " of queue '" + queue + "' to queue '" + toQueue + "'");
    }

    /** Sends one dead letter back to the queue that it came from. */
    public void redriveOne(Source source, Viewer viewer, String queue, String id) {
        viewer.require(Operation.REDRIVE, queue);
        MessageQueue<EncodedPayload> messages = source.existing(queue);
        String origin = messages.get(id)
                .map(message -> message.headers().string(Headers.DL_FROM_QUEUE))
                .orElseThrow(() -> ProblemException.conflict("message '" + id + "' is not a dead letter, or is gone"));
        edited(messages.moveIdle(id, origin), queue, id);
        source.changed(queue);
        source.changed(origin);
        viewer.did(source, "redrove message " + id + " of queue '" + queue + "' to queue '" + origin + "'");
    }

    /** Changes the due time of a message that nobody holds. */
    public void reschedule(Source source, Viewer viewer, String queue, String id, Input input) {
        viewer.require(Operation.RESCHEDULE, queue);
        MessageQueue<EncodedPayload> messages = source.existing(queue);
        Optional<Instant> due = input.instant("dueAt");
        edited(
                due.isPresent()
                        ? messages.reschedule(id, due.get())
                        : messages.reschedule(id, input.duration("delay").orElse(Duration.ZERO)),
                queue,
                id);
        source.changed(queue);
        viewer.did(source, "changed the due time of message " + id + " of queue '" + queue + "'");
    }

    private static void edited(EditOutcome outcome, String queue, String id) {
        refuse(outcome == EditOutcome.HELD, outcome == EditOutcome.ABSENT, queue, id);
    }

    private static void refuse(boolean held, boolean absent, String queue, String id) {
        if (held) {
            throw ProblemException.conflict("message '" + id + "' is held by a consumer");
        }
        if (absent) {
            throw ProblemException.missing("there is no message '" + id + "' in '" + queue + "'");
        }
    }
}

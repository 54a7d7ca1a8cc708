package dev.jono.jobs.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobProgress;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is in the log, as JSON. Version 1 of the layout:
 *
 * <pre>{@code
 * {"v": 1, "by": "4d3c…", "n": 17, "kind": "progress", "job": "resize:1", "attempt": 1, "time": 1795707821000,
 *  "done": 1, "total": 3, "data": "{}", "reason": "…"}
 * }</pre>
 *
 * @param writer the process that raised it
 * @param number its number within this process; a later event has a higher one
 * @param event the event
 */
record EventDocument(String writer, long number, JobEvent event) {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    String text() {
        ObjectNode node = JSON.createObjectNode();
        node.put("v", VERSION);
        node.put("by", writer);
        node.put("n", number);
        node.put("kind", event.kind().name().toLowerCase(Locale.ROOT));
        node.put("job", event.jobId());
        node.put("attempt", event.attempt());
        node.put("time", event.time().toEpochMilli());
        JobProgress progress = event.progress();
        if (progress != null) {
            node.put("done", progress.done());
            node.put("total", progress.total());
            if (progress.data() != null) {
                node.put("data", progress.data());
            }
        }
        if (event.reason() != null) {
            node.put("reason", event.reason());
        }
        return node.toString();
    }

    /** Reads an event; empty if it is damaged, or of a kind that this version does not know. */
    static Optional<EventDocument> parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            JobId id = JobId.parse(node.path("job").asText());
            String name = node.path("kind").asText().toUpperCase(Locale.ROOT);
            return Arrays.stream(JobEvent.Kind.values())
                    .filter(kind -> kind.name().equals(name))
                    .findFirst()
                    .map(kind -> new JobEvent(
                            kind,
                            id.toString(),
                            id.type(),
                            node.path("attempt").asInt(),
                            Instant.ofEpochMilli(node.path("time").asLong()),
                            progress(node),
                            node.path("reason").textValue()))
                    .map(event -> new EventDocument(
                            node.path("by").asText(), node.path("n").asLong(), event));
        } catch (JsonProcessingException | IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    private static @Nullable JobProgress progress(JsonNode node) {
        return node.has("total")
                ? new JobProgress(
                        node.path("done").asLong(),
                        node.path("total").asLong(),
                        node.path("data").textValue())
                : null;
    }
}

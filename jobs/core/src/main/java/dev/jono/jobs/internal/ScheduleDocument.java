package dev.jono.jobs.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.EncodedPayload;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.ScheduleOptions;
import dev.jono.jobs.ScheduleView;
import dev.jono.jobs.spi.StoredEntry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A schedule, as JSON. Fields that this version does not know are kept. Version 1 of the layout, with times in milliseconds:
 *
 * <pre>{@code
 * {"v": 1, "cron": "0 2 * * *", "zone": "Europe/Berlin", "type": "report", "priority": "NORMAL", "tags": ["eu"],
 *  "kind": "json", "payload": "{}", "missedAfter": 60000, "skip": true, "next": 1795707821000, "last": 1795621421000, "paused": true}
 * }</pre>
 *
 * Not thread-safe.
 */
final class ScheduleDocument {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private static final String TAGS = "tags";
    private static final String SKIP = "skip";
    private static final String NEXT = "next";
    private static final String LAST = "last";
    private static final String PAUSED = "paused";

    private final ObjectNode node;

    private ScheduleDocument(ObjectNode node) {
        this.node = node;
    }

    private record View(
            String name,
            String cron,
            String words,
            ZoneId zone,
            String type,
            EncodedPayload payload,
            JobPriority priority,
            Set<String> tags,
            Duration missedAfter,
            boolean skipsMissed,
            Optional<Instant> next,
            Optional<Instant> last,
            boolean isPaused)
            implements ScheduleView {}

    static ScheduleDocument create() {
        return new ScheduleDocument(JSON.createObjectNode().put("v", VERSION));
    }

    static ScheduleDocument of(StoredEntry entry) {
        try {
            ScheduleDocument document = new ScheduleDocument((ObjectNode) JSON.readTree(entry.document()));
            document.zone();
            return document;
        } catch (JsonProcessingException | ClassCastException | DateTimeException damaged) {
            throw new IllegalStateException(
                    "schedule '" + entry.name() + "' is damaged, or its time zone is unknown: " + entry.document(),
                    damaged);
        }
    }

    String text() {
        return node.toString();
    }

    ScheduleView view(String name) {
        return new View(
                name,
                cron(),
                CronTimes.words(cron()),
                zone(),
                type(),
                payload(),
                priority(),
                tags(),
                missedAfter(),
                skipsMissed(),
                isPaused() ? Optional.empty() : Optional.ofNullable(next()),
                Optional.ofNullable(last()),
                isPaused());
    }

    /** Whether the schedule has this expression and zone already. */
    boolean hasTimes(String cron, ZoneId zone) {
        return node.has("zone") && cron().equals(cron) && zone().equals(zone);
    }

    CronTimes times() {
        return CronTimes.of(cron(), zone());
    }

    void setTimes(String cron, ZoneId zone) {
        node.put("cron", cron);
        node.put("zone", zone.getId());
    }

    void setJob(String type, EncodedPayload payload, JobPriority priority, ScheduleOptions options) {
        node.put("type", type);
        node.put("priority", priority.name());
        node.remove(TAGS);
        if (!options.tags().isEmpty()) {
            ArrayNode array = node.putArray(TAGS);
            options.tags().forEach(array::add);
        }
        PayloadFields.put(node, payload);
        node.put("missedAfter", options.missedAfter().toMillis());
        setFlag(SKIP, options.skipsMissed());
    }

    /**
     * Sets the ordering key of the jobs.
     *
     * @param key null for none
     */
    void setKey(@Nullable String key, int limitPerKey) {
        node.put("key", key);
        node.put("limitPerKey", limitPerKey);
    }

    Optional<String> key() {
        return node.hasNonNull("key") ? Optional.of(node.path("key").asText()) : Optional.empty();
    }

    int limitPerKey() {
        return node.path("limitPerKey").asInt(1);
    }

    private void setFlag(String name, boolean value) {
        if (value) {
            node.put(name, true);
        } else {
            node.remove(name);
        }
    }

    String cron() {
        return node.path("cron").asText();
    }

    ZoneId zone() {
        return ZoneId.of(node.path("zone").asText());
    }

    String type() {
        return node.path("type").asText();
    }

    EncodedPayload payload() {
        return PayloadFields.get(node);
    }

    JobPriority priority() {
        return JobJson.priority(node);
    }

    Set<String> tags() {
        Set<String> tags = new LinkedHashSet<>();
        node.path(TAGS).forEach(tag -> tags.add(tag.asText()));
        return tags;
    }

    Duration missedAfter() {
        return Duration.ofMillis(node.path("missedAfter").asLong());
    }

    boolean skipsMissed() {
        return node.path(SKIP).asBoolean();
    }

    /** The next occurrence, also of a paused schedule; null if there is none. */
    @Nullable Instant next() {
        return time(NEXT);
    }

    void setNext(@Nullable Instant time) {
        setTime(NEXT, time);
    }

    @Nullable Instant last() {
        return time(LAST);
    }

    void setLast(@Nullable Instant time) {
        setTime(LAST, time);
    }

    private @Nullable Instant time(String name) {
        return node.hasNonNull(name) ? Instant.ofEpochMilli(node.path(name).asLong()) : null;
    }

    private void setTime(String name, @Nullable Instant time) {
        if (time == null) {
            node.remove(name);
        } else {
            node.put(name, time.toEpochMilli());
        }
    }

    boolean isPaused() {
        return node.path(PAUSED).asBoolean();
    }

    void setPaused(boolean paused) {
        setFlag(PAUSED, paused);
    }
}

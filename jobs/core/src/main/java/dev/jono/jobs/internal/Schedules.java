package dev.jono.jobs.internal;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.ScheduleOptions;
import dev.jono.jobs.ScheduleView;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Changes and lists schedules. Each is an entry of the job store. Thread-safe. */
final class Schedules {
    /** The kind of the entries. */
    static final String KIND = "schedule";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,80}");
    private static final int PAGE = 200;
    /** Each process reads all schedules again and again. */
    private static final int MAX_PAYLOAD_BYTES = 64 * 1024;

    private final JobsContext context;
    private final EntryEditor entries;
    private final Occurrences occurrences;

    Schedules(JobsContext context) {
        this.context = context;
        this.entries = new EntryEditor(context, KIND);
        this.occurrences = new Occurrences(context);
    }

    private static String checked(String name) {
        if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new IllegalArgumentException(
                    "schedule name '" + name + "' is not allowed: 1 to 80 letters, digits or _ . -");
        }
        return name;
    }

    /** Creates or replaces a schedule. */
    <P, R> ScheduleView set(
            String name, String cron, ZoneId zone, JobType<P, R> type, P payload, ScheduleOptions options) {
        checked(name);
        Objects.requireNonNull(cron, "cron");
        Objects.requireNonNull(zone, "zone");
        Objects.requireNonNull(payload, () -> "payload of schedule '" + name + "'");
        CronTimes times = CronTimes.of(cron, zone);
        if (!context.jono.capabilities().contains(Capability.DEDUPLICATE)) {
            throw new UnsupportedCapabilityException(
                    "schedule", type.name(), context.jono.backend(), Capability.DEDUPLICATE);
        }
        EncodedPayload encoded = encode(name, type, payload);
        String key = type.key(payload);
        if (key != null && options.priority() != null) {
            throw new IllegalArgumentException(
                    "schedule '" + name + "' of jobs of type '" + type + "' with the ordering key '"
                            + key + "' cannot have the priority " + options.priority()
                            + ": jobs with keys run in the order of their keys");
        }
        JobPriority priority = options.priority() == null ? type.priority() : options.priority();
        return entries.repeat(name, current -> {
            ScheduleDocument schedule = stored(current.entry()).orElseGet(ScheduleDocument::create);
            // Programs declare their schedules whenever they start: the same times must not skip what was missed
            // meanwhile.
            if (!schedule.hasTimes(cron, zone)) {
                schedule.setTimes(cron, zone);
                schedule.setNext(times.next(current.now()).orElse(null));
            }
            schedule.setJob(type.name(), encoded, priority, options);
            schedule.setKey(key, type.limitPerKey());
            return store(current, schedule) ? Optional.of(schedule.view(name)) : Optional.empty();
        });
    }

    private <P> EncodedPayload encode(String name, JobType<P, ?> type, P payload) {
        EncodedPayload encoded;
        try {
            encoded = context.<P>codec(type.payloadType()).encode(payload, Headers.empty());
        } catch (Exception failure) {
            throw new EncodingException(
                    "the payload of schedule '" + name + "' cannot be encoded: " + failure, null, null, failure);
        }
        if (encoded.size() > MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("the payload of schedule '" + name + "' has " + encoded.size()
                    + " bytes; the maximum is " + MAX_PAYLOAD_BYTES + ": store it elsewhere, and pass its place");
        }
        return encoded;
    }

    /** All schedules, sorted by name. */
    List<ScheduleView> all() {
        List<ScheduleView> all = new ArrayList<>();
        List<StoredEntry> page = entries.list("", PAGE).entries();
        while (!page.isEmpty()) {
            page.forEach(entry ->
                    stored(entry).map(schedule -> schedule.view(entry.name())).ifPresent(all::add));
            page = page.size() < PAGE
                    ? List.of()
                    : entries.list(page.get(page.size() - 1).name(), PAGE).entries();
        }
        return all;
    }

    /** Removes a schedule; false if there is none. */
    boolean remove(String name) {
        return entries.repeat(
                checked(name),
                current -> current.entry() == null
                        ? Optional.of(false)
                        : store(current, null) ? Optional.of(true) : Optional.empty());
    }

    /** Pauses a schedule; false if there is none. */
    boolean pause(String name) {
        return edit(name, (schedule, now) -> schedule.setPaused(true));
    }

    /** Ends a pause; false if there is no such schedule. It has no occurrence during a pause, so it has missed none. */
    boolean resume(String name) {
        return edit(name, (schedule, now) -> {
            if (schedule.isPaused()) {
                schedule.setPaused(false);
                schedule.setNext(schedule.times().next(now).orElse(null));
            }
        });
    }

    /** Enqueues a job of a schedule now. Returns its id; empty if there is no such schedule. */
    Optional<String> run(String name) {
        return stored(entries.current(checked(name)).entry())
                .map(schedule -> occurrences.enqueueExtra(name, schedule).toString());
    }

    private boolean edit(String name, BiConsumer<ScheduleDocument, Instant> change) {
        return entries.repeat(checked(name), current -> {
            ScheduleDocument schedule = stored(current.entry()).orElse(null);
            if (schedule == null) {
                return Optional.of(false);
            }
            change.accept(schedule, current.now());
            return store(current, schedule) ? Optional.of(true) : Optional.empty();
        });
    }

    /** The schedule in an entry; empty if there is none, or it cannot be read. */
    private Optional<ScheduleDocument> stored(@Nullable StoredEntry entry) {
        if (entry == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ScheduleDocument.of(entry));
        } catch (IllegalStateException damaged) {
            context.outages.warn(JobsContext.LOG, damaged, "schedule '{}' is left out", entry.name());
            return Optional.empty();
        }
    }

    /** Replaces the stored schedule; false if it has changed since it was read. */
    private boolean store(EntryEditor.Current current, @Nullable ScheduleDocument schedule) {
        return entries.store(current, schedule == null ? null : schedule.text());
    }
}

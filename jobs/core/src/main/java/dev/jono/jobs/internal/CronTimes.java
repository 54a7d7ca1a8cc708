package dev.jono.jobs.internal;

import com.cronutils.descriptor.CronDescriptor;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The times of a cron expression in a time zone. The library finds the local times; this class places them into the zone, where a
 * change of the clock skips local times (a gap) or repeats them (an overlap):
 *
 * <ul>
 *   <li>An expression that names times of the day, such as {@code 30 2 * * *}, occurs once a day. A skipped time occurs at the end of
 *       the gap; a repeated time occurs when it comes first.
 *   <li>Other expressions repeat within the day, such as {@code 0 8-18 * * *}. Skipped times do not occur; repeated times occur twice.
 * </ul>
 *
 * Immutable and thread-safe.
 */
final class CronTimes {
    /** Seconds first. Steps and ranges that end before they begin are refused. */
    private static final CronDefinition DEFINITION = CronDefinitionBuilder.defineCron()
            .withSeconds()
            .withStrictRange()
            .and()
            .withMinutes()
            .withStrictRange()
            .and()
            .withHours()
            .withStrictRange()
            .and()
            .withDayOfMonth()
            .supportsL()
            .withStrictRange()
            .and()
            .withMonth()
            .withStrictRange()
            .and()
            .withDayOfWeek()
            .withValidRange(0, 7)
            .withMondayDoWValue(1)
            .withIntMapping(7, 0)
            .supportsHash()
            .supportsL()
            .withStrictRange()
            .and()
            .instance();

    private static final Pattern CHARACTERS = Pattern.compile("[0-9A-Za-z*/,# -]{1,200}");
    private static final Pattern REPEATING = Pattern.compile("[*/-]");
    private static final int SECONDS_MINUTES_HOURS = 3;

    private final ExecutionTime local;
    private final boolean repeating;
    private final ZoneRules rules;

    private CronTimes(ExecutionTime local, boolean repeating, ZoneRules rules) {
        this.local = local;
        this.repeating = repeating;
        this.rules = rules;
    }

    /**
     * Reads an expression of five fields, or of six with the seconds first.
     *
     * @throws IllegalArgumentException if it is not a cron expression, or has no time, such as February 30
     */
    static CronTimes of(String cron, ZoneId zone) {
        List<String> fields =
                List.of(cron.trim().toUpperCase(Locale.ROOT).replace('\t', ' ').split(" +"));
        if (!CHARACTERS.matcher(String.join(" ", fields)).matches() || fields.size() < 5 || fields.size() > 6) {
            throw refused(
                    cron,
                    "expected 5 fields (minute, hour, day of month, month, day of week), or 6 with seconds first");
        }
        String text = (fields.size() == 5 ? "0 " : "") + String.join(" ", fields);
        boolean repeating = Arrays.stream(text.split(" "))
                .limit(SECONDS_MINUTES_HOURS)
                .anyMatch(field -> REPEATING.matcher(field).find());
        CronTimes times;
        try {
            times = new CronTimes(
                    ExecutionTime.forCron(new CronParser(DEFINITION).parse(text)), repeating, zone.getRules());
        } catch (RuntimeException refusal) { // of several types: the library reports some texts by accident
            throw refused(cron, reason(refusal));
        }
        if (times.next(Instant.EPOCH).isEmpty()) {
            throw refused(cron, "there is no such day");
        }
        return times;
    }

    /** An expression that {@link #of} has accepted, in English words. */
    static String words(String cron) {
        String text = cron.trim().toUpperCase(Locale.ROOT);
        String six = text.split("\\s+").length == 5 ? "0 " + text : text;
        return CronDescriptor.instance(Locale.ENGLISH).describe(new CronParser(DEFINITION).parse(six));
    }

    private static IllegalArgumentException refused(String cron, String reason) {
        return new IllegalArgumentException("'" + cron + "' is not a cron expression: " + reason);
    }

    private static String reason(RuntimeException refusal) {
        String prefix = "Failed to parse cron expression. ";
        String text = Objects.requireNonNullElse(refusal.getMessage(), "a field is malformed");
        return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    /** The first time after this one; empty if there is none. */
    Optional<Instant> next(Instant after) {
        return Optional.ofNullable(repeating ? nextOfRepeating(after) : nextOfDay(after));
    }

    /** The next full second; the library would keep the fraction of the second. */
    private @Nullable LocalDateTime nextLocal(LocalDateTime after) {
        return local.nextExecution(after.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC))
                .map(ZonedDateTime::toLocalDateTime)
                .orElse(null);
    }

    private @Nullable Instant nextOfDay(Instant after) {
        LocalDateTime next = LocalDateTime.ofInstant(after, rules.getOffset(after));
        while (true) {
            next = nextLocal(next);
            if (next == null) {
                return null;
            }
            Instant time = once(next);
            if (time.isAfter(after)) {
                return time;
            }
        }
    }

    private Instant once(LocalDateTime time) {
        ZoneOffsetTransition change = rules.getTransition(time);
        return change != null && change.isGap()
                ? change.getInstant()
                : time.toInstant(change == null ? rules.getOffset(time) : change.getOffsetBefore());
    }

    private @Nullable Instant nextOfRepeating(Instant after) {
        ZoneOffset offset = rules.getOffset(after);
        ZoneOffsetTransition change = rules.nextTransition(after);
        LocalDateTime next = nextLocal(LocalDateTime.ofInstant(after, offset));
        while (next != null) {
            Instant time = next.toInstant(offset);
            if (change == null || time.isBefore(change.getInstant())) {
                return time;
            }
            // The clock changes first: continue with the local times after the change, the first of which counts.
            offset = change.getOffsetAfter();
            next = nextLocal(change.getDateTimeAfter().minusNanos(1));
            change = rules.nextTransition(change.getInstant());
        }
        return null;
    }
}

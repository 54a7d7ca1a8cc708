package dev.jono.jobs;

import dev.jono.EncodedPayload;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;

/** A snapshot of a schedule. Immutable. */
public interface ScheduleView {
    /** The name of the schedule. */
    String name();

    /** The cron expression, as it was given. */
    String cron();

    /** The cron expression in English words, such as "at 02:30". */
    String words();

    /** The time zone of the expression. */
    ZoneId zone();

    /** The name of the type of its jobs. */
    String type();

    /** The payload of its jobs, as it is stored. */
    EncodedPayload payload();

    /** The priority of its jobs. */
    JobPriority priority();

    /** The tags that it gives to its jobs. */
    Set<String> tags();

    /** After which time an occurrence is missed. */
    Duration missedAfter();

    /** Whether missed occurrences are skipped. */
    boolean skipsMissed();

    /** The next occurrence; empty if the schedule is paused. It is in the past while it waits for a process with runners. */
    Optional<Instant> next();

    /** The last occurrence whose job was enqueued; empty if there was none. */
    Optional<Instant> last();

    /** Whether the schedule is paused. */
    boolean isPaused();
}

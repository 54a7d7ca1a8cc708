package dev.jono.dashboard;

import java.util.Locale;

/** What somebody may do in the dashboard. See {@link Access}. */
public enum Operation {
    /** Look at it, payloads included. */
    VIEW,
    /** Push a message. */
    PUSH,
    /** Pause or resume a queue, a type or a schedule. */
    PAUSE,
    /** Remove all messages of a queue that nobody holds. */
    PURGE,
    /** Send dead letters back to the queues that they came from. */
    REDRIVE,
    /** Remove a message, a job or a schedule. */
    REMOVE,
    /** Move a message to another queue. */
    MOVE,
    /** Change the due time of a message. */
    RESCHEDULE,
    /** Enqueue a job. */
    ENQUEUE,
    /** Run a failed or ended job again. */
    RETRY,
    /** Cancel a job. */
    CANCEL,
    /** Start a scheduled job, or a job of a schedule, now. */
    RUN,
    /** Change the priority of a job. */
    PRIORITIZE,
    /** Create or change a schedule. */
    SCHEDULE;

    /** Whether it changes something. */
    public boolean isChange() {
        return this != VIEW;
    }

    /** The name in lower case, as in messages and in the log. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.jono;

import java.time.Duration;

/** A call to the storage that has ended; see {@link FactoryListener#storageCall}. Immutable. */
public final class StorageCallReport {
    private final String queue;
    private final String operation;
    private final int messages;
    private final Duration duration;
    private final Outcome outcome;

    private StorageCallReport(String queue, String operation, int messages, Duration duration, Outcome outcome) {
        this.queue = queue;
        this.operation = operation;
        this.messages = messages;
        this.duration = duration;
        this.outcome = outcome;
    }

    /** Returns a report with these values. */
    public static StorageCallReport of(
            String queue, String operation, int messages, Duration duration, Outcome outcome) {
        return new StorageCallReport(queue, operation, messages, duration, outcome);
    }

    /** The name of the queue. */
    public String queue() {
        return queue;
    }

    /**
     * The operation: {@code push}, {@code pop}, {@code reserve}, {@code ack}, {@code release} (which includes retry), {@code extend},
     * {@code move}, {@code restore}, {@code counts}, {@code browse} and others that are less frequent. Versions of Jono may add
     * operations; there are some twenty.
     */
    public String operation() {
        return operation;
    }

    /**
     * How many messages the call was about. The engine batches the calls of an application, so one storage call can have the messages
     * of many callers. For {@code pop} and {@code reserve} it is the number of messages that came, which can be 0. For a call that is not
     * about messages, such as {@code counts}, it is 0.
     */
    public int messages() {
        return messages;
    }

    /** The time from the sending of the call to its end. If the call was repeated, all attempts are included. */
    public Duration duration() {
        return duration;
    }

    /** How it ended. */
    public Outcome outcome() {
        return outcome;
    }

    @Override
    public String toString() {
        return operation + " of " + messages + " messages on queue '" + queue + "' " + outcome + " in " + duration;
    }

    /** How a call can end. */
    public enum Outcome {
        /** The storage has answered. Single messages can have been refused. */
        DONE,
        /** The call certainly had no effect. */
        FAILED,
        /** The storage did not say whether the call had an effect. */
        UNKNOWN
    }
}

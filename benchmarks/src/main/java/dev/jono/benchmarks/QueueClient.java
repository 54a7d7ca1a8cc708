package dev.jono.benchmarks;

import java.io.IOException;
import java.time.Duration;

/**
 * One side of a comparison: pushes messages to a queue and takes them from it. Jono, keuss and the loops written by
 * hand implement it, so that a row can run each of them in the same way. One thread calls it.
 */
public interface QueueClient extends AutoCloseable {
    /** The operation that a round measures. */
    enum Step {
        PUSH,
        POP,
        RESERVE_ACK;

        /** Returns the name in the ids of rows. */
        public String id() {
            return switch (this) {
                case PUSH -> "push";
                case POP -> "pop";
                case RESERVE_ACK -> "reserve-ack";
            };
        }

        /** Returns the name in the text of rows. */
        public String text() {
            return this == RESERVE_ACK ? "reserve+ack" : id();
        }
    }

    /** Returns the name of the queue; each client has its own. */
    String queue();

    /** Returns how long after a round the storage may still change, because the client writes later than it answers. */
    default Duration writeDelay() {
        return Duration.ZERO;
    }

    /** Prepares a round with these messages; not timed. */
    default void prepare(Step step, NumberedMessages messages) throws Exception {}

    /**
     * Pushes each message once, or takes the same number of messages from the queue and reports each to {@link
     * NumberedMessages#arrived}. Timed.
     */
    void run(Step step, NumberedMessages messages) throws Exception;

    @Override
    default void close() throws IOException {}
}

package dev.jono.benchmarks;

import java.io.IOException;
import java.time.Duration;

/** Somebody's way to push messages to one queue and to get them back. */
public interface QueueClient extends AutoCloseable {
    /** What is measured. */
    enum Step {
        PUSH,
        POP,
        RESERVE_ACK;

        /** As a part of a row's name. */
        public String id() {
            return switch (this) {
                case PUSH -> "push";
                case POP -> "pop";
                case RESERVE_ACK -> "reserve-ack";
            };
        }

        /** For people. */
        public String text() {
            return this == RESERVE_ACK ? "reserve+ack" : id();
        }
    }

    /** The queue of this contender: each has its own. */
    String queue();

    /** How long behind a round what was done in it may yet be on its way to the storage. */
    default Duration settles() {
        return Duration.ZERO;
    }

    /** Makes ready, untimed, for so many messages. */
    default void prepare(Step step, NumberedMessages messages) throws Exception {}

    /** Pushes each message once, or takes as many from the queue, and says of each that it arrived. */
    void run(Step step, NumberedMessages messages) throws Exception;

    @Override
    default void close() throws IOException {}
}

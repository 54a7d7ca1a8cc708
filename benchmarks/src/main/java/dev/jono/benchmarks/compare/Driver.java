package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.io.IOException;
import java.util.List;

/**
 * Pushes to and takes from the queue of one library. It runs in a process of the contestant, which {@link
 * ContestantMain} starts. One thread calls it.
 */
interface Driver extends AutoCloseable {
    /** The width for the library at its best: the calls in flight and the messages per call with which it is fastest. */
    int BEST = 0;

    /** How long a taker waits for a message before it checks whether to stop. */
    int WAIT_MILLIS = 200;

    /**
     * Pushes each message once; returns when the library has confirmed all.
     *
     * @param width the calls in flight for one message each, or {@link #BEST}
     */
    void push(Payloads payloads, int width) throws Exception;

    /** Starts the push of one message of a paced flow. Blocks if the library has no asynchronous call. */
    default void send(String text) throws Exception {
        throw new UnsupportedOperationException("this driver has no paced flow");
    }

    /** Starts the push of messages that are due at once, as the library pushes at its best. */
    default void sendAll(List<String> texts) throws Exception {
        for (String text : texts) {
            send(text);
        }
    }

    /** Waits until the library has confirmed all messages that were sent. */
    default void flush() throws Exception {
        throw new UnsupportedOperationException("this driver has no paced flow");
    }

    /** Prepares to take, for example by connecting workers; not timed. */
    default void prepare(Step step, int width) throws Exception {}

    /** Takes messages until {@code progress} is closed. */
    void take(Step step, TakeProgress progress, int width) throws Exception;

    /** Opens this many further queues; not timed. Keeps the queues of an earlier call if their number is the same. */
    default void openQueues(int queues) throws Exception {
        throw new UnsupportedOperationException("this driver has one queue");
    }

    /** Pushes each message once to the queues of {@link #openQueues} in turn, with {@code width} calls in flight. */
    default void pushToQueues(Payloads payloads, int width) throws Exception {
        throw new UnsupportedOperationException("this driver has one queue");
    }

    /**
     * Takes from the queues of {@link #openQueues} until {@code progress} is closed, with one consumer per queue and at
     * least {@code width} consumers, or with the closest that the library can do.
     */
    default void takeFromQueues(Step step, TakeProgress progress, int width) throws Exception {
        throw new UnsupportedOperationException("this driver has one queue");
    }

    @Override
    default void close() throws IOException {}
}

package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.io.IOException;
import java.util.List;

/** One contestant's way to push to its queue and to take from it, in a process of its own ({@link ContestantMain}). */
interface Driver extends AutoCloseable {
    /** As a width: as many in flight, and as many a call, as suits it best. */
    int BEST = 0;

    /** How long a taker that finds nothing waits before it looks whether it is to end. */
    int WAIT_MILLIS = 200;

    /**
     * Pushes each message once; returns when all are stored, as durable as this contestant stores.
     *
     * @param width how many calls for one message each are in flight, or {@link #BEST}
     */
    void push(Payloads payloads, int width) throws Exception;

    /** Begins to push one, for {@link ContestantMain}'s paced flow. May block where the library has no other form. */
    void send(String text) throws Exception;

    /** Begins to push several that are due at once, the way it pushes at its best. */
    default void sendAll(List<String> texts) throws Exception {
        for (String text : texts) {
            send(text);
        }
    }

    /** Waits until all that was sent is stored. */
    void flush() throws Exception;

    /** Makes ready to take, before the clock runs: connects workers, for example. */
    default void prepare(Step step, int width) throws Exception {}

    /** Takes until the intake is closed. */
    void take(Step step, TakeProgress intake, int width) throws Exception;

    /** Makes so many queues, of other names than the one, before the clock runs; keeps them where there are as many already. */
    default void queues(int queues) throws Exception {
        throw new UnsupportedOperationException("it has one queue");
    }

    /** Pushes each message once, the first to the first of the {@link #queues}, and so on in turn, so many calls in flight. */
    default void pushOver(Payloads payloads, int width) throws Exception {
        throw new UnsupportedOperationException("it has one queue");
    }

    /** Takes from all {@link #queues} until the intake is closed: a consumer of each, so many at least, or what comes next to it. */
    default void takeOver(Step step, TakeProgress intake, int width) throws Exception {
        throw new UnsupportedOperationException("it has one queue");
    }

    @Override
    default void close() throws IOException {}
}

package dev.jono;

/** What a worker does at one moment. Immutable. */
public final class WorkerStatus {
    private final State state;
    private final int running;
    private final int overtime;
    private final long succeeded;
    private final long failed;

    private WorkerStatus(State state, int running, int overtime, long succeeded, long failed) {
        this.state = state;
        this.running = running;
        this.overtime = overtime;
        this.succeeded = succeeded;
        this.failed = failed;
    }

    /** A status with these values. */
    public static WorkerStatus of(State state, int running, int overtime, long succeeded, long failed) {
        return new WorkerStatus(state, running, overtime, succeeded, failed);
    }

    /** Whether it runs, stops, or has stopped. */
    public State state() {
        return state;
    }

    /** Messages on which handlers work. */
    public int running() {
        return running;
    }

    /**
     * Handlers that have run for longer than {@link WorkerBuilder#maxRuntime} and have not ended; a batch has one handler. A
     * value above 0 that lasts means that handlers ignore interrupts. They still count towards the concurrency, so a worker
     * may have no room for other messages. Let a health check look at it.
     */
    public int overtime() {
        return overtime;
    }

    /** Messages whose handler returned, and that are acked or moved in the storage. */
    public long succeeded() {
        return succeeded;
    }

    /**
     * Messages whose handler threw (rejects and snoozes included), ran too long or was interrupted, or settled them other than
     * by an ack or a move, or whose ack failed.
     */
    public long failed() {
        return failed;
    }

    @Override
    public String toString() {
        return state + ", running " + running + ", overtime " + overtime + ", succeeded " + succeeded + ", failed "
                + failed;
    }

    /** The states of a worker, in their order. */
    public enum State {
        /** Claims messages. */
        RUNNING,
        /** Claims no more, and waits for its handlers. */
        STOPPING,
        /** Has ended. */
        STOPPED
    }
}

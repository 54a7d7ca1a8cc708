package dev.jono;

/** What a worker is doing, at a moment. */
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

    /** This status. */
    public static WorkerStatus of(State state, int running, int overtime, long succeeded, long failed) {
        return new WorkerStatus(state, running, overtime, succeeded, failed);
    }

    /** Whether it runs. */
    public State state() {
        return state;
    }

    /** Messages that are being handled. */
    public int running() {
        return running;
    }

    /**
     * Handlers (a batch has one) that have run for longer than {@link WorkerBuilder#maxRuntime} and have not ended. Above 0
     * for more than a moment means that handlers ignore interrupts. Each keeps its place: a worker whose places are all
     * taken by them handles nothing. What a health check should look at.
     */
    public int overtime() {
        return overtime;
    }

    /** Messages whose handler returned, and whose ack, where the handler had not settled them, is stored. */
    public long succeeded() {
        return succeeded;
    }

    /** Messages whose handler threw, ran for too long or was interrupted, or whose ack could not be stored. */
    public long failed() {
        return failed;
    }

    @Override
    public String toString() {
        return state + ", running " + running + ", overtime " + overtime + ", succeeded " + succeeded + ", failed "
                + failed;
    }

    /** A worker's life. */
    public enum State {
        /** Takes messages. */
        RUNNING,
        /** Takes no more, and waits for its handlers. */
        STOPPING,
        /** Ended. */
        STOPPED
    }
}

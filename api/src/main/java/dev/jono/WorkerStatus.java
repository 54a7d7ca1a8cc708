package dev.jono;

/** What a worker is doing, at a moment. */
public final class WorkerStatus {
    private final State state;
    private final int running;
    private final long succeeded;
    private final long failed;

    private WorkerStatus(State state, int running, long succeeded, long failed) {
        this.state = state;
        this.running = running;
        this.succeeded = succeeded;
        this.failed = failed;
    }

    /** This status. */
    public static WorkerStatus of(State state, int running, long succeeded, long failed) {
        return new WorkerStatus(state, running, succeeded, failed);
    }

    /** Whether it runs. */
    public State state() {
        return state;
    }

    /** Messages that are being handled. */
    public int running() {
        return running;
    }

    /** Messages whose handler returned. */
    public long succeeded() {
        return succeeded;
    }

    /** Messages whose handler threw. */
    public long failed() {
        return failed;
    }

    @Override
    public String toString() {
        return state + ", running " + running + ", succeeded " + succeeded + ", failed " + failed;
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

package dev.jono.spi;

/**
 * Limits how many messages a worker claims from some queues, for example to a number over all processes. A permit is needed for each
 * message. The worker calls it with locks held: methods must not block, must not call the storage, and must not call the worker.
 * Thread-safe.
 */
public interface ClaimGate {
    /** A gate that is always open. */
    ClaimGate OPEN = new ClaimGate() {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public int take(int wanted) {
            return wanted;
        }

        @Override
        public void giveBack(int permits) {}

        @Override
        public void finished(int permits) {}

        @Override
        public void onOpened(Runnable claim) {}
    };

    /** Whether {@link #take} would return a permit now. While it would not, the other queues of the worker are served. */
    boolean isOpen();

    /**
     * Takes permits for a claim. If it returns fewer than wanted, the gate runs the callbacks of {@link #onOpened} when it may have more.
     *
     * @param wanted how many messages the worker has room for, 1 or more
     * @return how many it may claim, 0 to {@code wanted}
     */
    int take(int wanted);

    /** Gives back permits that were not used: the claim has brought fewer messages, or they were given back before they were handled. */
    void giveBack(int permits);

    /** The handlers of this many messages have ended. */
    void finished(int permits);

    /** Adds a callback of a worker that is starting: it claims again. The callback returns at once; it is called without locks. */
    void onOpened(Runnable claim);
}

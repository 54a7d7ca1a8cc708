package dev.jono;

/** When a message is given up, and where it goes. Immutable. */
public final class DeadLetter {
    /** The dead-letter queue unless another is named. */
    public static final String DEFAULT_QUEUE = "__deadletter__";

    private final int maxDeliveries;
    private final String queue;

    private DeadLetter(int maxDeliveries, String queue) {
        this.maxDeliveries = maxDeliveries;
        this.queue = queue;
    }

    /**
     * A message is delivered this many times at most; the retry or expiry that ends the last delivery moves it.
     *
     * @throws IllegalArgumentException if the number is less than 1
     */
    public static DeadLetter after(int maxDeliveries) {
        if (maxDeliveries < 1) {
            throw new IllegalArgumentException("maxDeliveries must be at least 1: " + maxDeliveries);
        }
        return new DeadLetter(maxDeliveries, DEFAULT_QUEUE);
    }

    /** Messages are redelivered for ever. A reject still moves to the dead-letter queue. */
    public static DeadLetter never() {
        return new DeadLetter(Integer.MAX_VALUE, DEFAULT_QUEUE);
    }

    /** The same, with another dead-letter queue. */
    public DeadLetter queue(String name) {
        return new DeadLetter(maxDeliveries, name);
    }

    /** How often a message is delivered at most; {@code Integer.MAX_VALUE} for ever. */
    public int maxDeliveries() {
        return maxDeliveries;
    }

    /** The dead-letter queue's name. */
    public String queue() {
        return queue;
    }
}

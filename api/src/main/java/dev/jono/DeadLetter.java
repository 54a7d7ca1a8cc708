package dev.jono;

/** The rule by which a queue gives up messages: after how many deliveries, and to which dead-letter queue. Immutable. */
public final class DeadLetter {
    /** The name of the dead-letter queue if no other is set. */
    public static final String DEFAULT_QUEUE = "__deadletter__";

    private final int maxDeliveries;
    private final String queue;

    private DeadLetter(int maxDeliveries, String queue) {
        this.maxDeliveries = maxDeliveries;
        this.queue = queue;
    }

    /**
     * Limits the number of deliveries. When the last delivery ends by a retry or by the end of its lease, the message
     * moves to the dead-letter queue.
     *
     * @param maxDeliveries most deliveries of a message, 1 or more
     * @throws IllegalArgumentException if the number is less than 1
     */
    public static DeadLetter after(int maxDeliveries) {
        if (maxDeliveries < 1) {
            throw new IllegalArgumentException("maxDeliveries must be at least 1: " + maxDeliveries);
        }
        return new DeadLetter(maxDeliveries, DEFAULT_QUEUE);
    }

    /**
     * Sets no limit: messages are redelivered until a consumer settles them. A rejected message still moves to the
     * dead-letter queue.
     */
    public static DeadLetter never() {
        return new DeadLetter(Integer.MAX_VALUE, DEFAULT_QUEUE);
    }

    /** Returns the same rule with another dead-letter queue. */
    public DeadLetter queue(String name) {
        return new DeadLetter(maxDeliveries, name);
    }

    /** Most deliveries of a message; {@code Integer.MAX_VALUE} if there is no limit. */
    public int maxDeliveries() {
        return maxDeliveries;
    }

    /** The name of the dead-letter queue. */
    public String queue() {
        return queue;
    }
}

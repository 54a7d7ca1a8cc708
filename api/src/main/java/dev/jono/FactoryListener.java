package dev.jono;

/**
 * Is notified of the storage calls of a factory, and of the messages that the factory counts. For metrics.
 *
 * <p>Called on threads of the storage and of callers: a method must be short, must not block, and must not call Jono. Must be
 * thread-safe. Exceptions are logged, and change nothing.
 *
 * <pre>{@code
 * Map<String, Long> stored = new ConcurrentHashMap<>();
 * QueueFactory jono = QueueFactory.builder("memory:")
 *         .listener(new FactoryListener() {
 *             @Override
 *             public void pushed(String queue, long messages) {
 *                 stored.merge(queue, messages, Long::sum);
 *             }
 *         })
 *         .connect();
 * }</pre>
 */
public interface FactoryListener {
    /** A call to the storage has ended. */
    default void storageCall(StorageCallReport call) {}

    /**
     * Messages were stored, by pushes and by moves into the queue. Duplicates are not counted.
     *
     * @param messages how many; here and in the other methods, 1 or more
     */
    default void pushed(String queue, long messages) {}

    /** Messages were handed out by pop. Those that go back later, as by {@link MessageQueue#restore}, stay counted. */
    default void popped(String queue, long messages) {}

    /** Messages were handed out under a reservation. */
    default void reserved(String queue, long messages) {}

    /** Reservations have ended with an ack, or with a move. */
    default void acked(String queue, long messages) {}

    /** Reservations were given back, and count as deliveries. */
    default void retried(String queue, long messages) {}

    /** Reservations were given back, and do not count as deliveries. */
    default void released(String queue, long messages) {}

    /** Messages were moved from this queue to its dead-letter queue. */
    default void deadLettered(String queue, long messages) {}
}

package dev.jono.test;

import dev.jono.MessageQueue;

/**
 * The entry point of assertions about queues, for AssertJ.
 *
 * <pre>{@code
 * import static dev.jono.test.JonoAssertions.assertThat;
 *
 * assertThat(orders).hasPushed(new Order(1, "skates"));
 * }</pre>
 *
 * <p>Assertions about jobs are in {@link JobAssertions}.
 */
public final class JonoAssertions {
    private JonoAssertions() {}

    /** Assertions about a queue, of any factory and backend. */
    public static <T> MessageQueueAssert<T> assertThat(MessageQueue<T> queue) {
        return new MessageQueueAssert<>(queue);
    }
}

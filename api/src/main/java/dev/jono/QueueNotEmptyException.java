package dev.jono;

/** A queue was not deleted, because it holds messages. Nothing was changed. */
public final class QueueNotEmptyException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final long messages;

    /**
     * An exception for one queue.
     *
     * @param messages how many messages it holds, 1 or more
     */
    public QueueNotEmptyException(String queue, long messages) {
        super(
                "queue '" + queue + "' was not deleted: it holds " + messages
                        + (messages == 1 ? " message" : " messages")
                        + " (ready, scheduled or reserved); consume or purge them first, or delete the queue with them",
                queue,
                null,
                null);
        this.messages = messages;
    }

    /** How many messages the queue holds: ready, scheduled and reserved. */
    public long messages() {
        return messages;
    }
}

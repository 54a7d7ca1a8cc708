package dev.jono;

/**
 * A reservation is not its holder's any more: its lease ended and another claimed, removed or moved the message, or it
 * was settled before. Nothing was changed.
 */
public final class StaleReservationException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final boolean gone;

    /**
     * For one reservation.
     *
     * @param step what was tried: ack, retry, …
     * @param gone whether the message is not in the queue any more, and not only somebody else's
     */
    public StaleReservationException(String step, String queue, String id, boolean gone) {
        super(
                step + " of message " + id + " in queue '" + queue + "' refused: "
                        + (gone
                                ? "it is not in the queue any more"
                                : "its lease ended and it is reserved by another, or was given back"),
                queue,
                id,
                null);
        this.gone = gone;
    }

    /** Whether the message is not in the queue any more. */
    public boolean gone() {
        return gone;
    }
}

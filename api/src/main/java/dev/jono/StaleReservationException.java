package dev.jono;

/**
 * A reservation no longer belongs to its holder. It was settled before, or its lease ended and another consumer has
 * claimed, removed or moved the message. Nothing was changed.
 */
public final class StaleReservationException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final boolean gone;

    /**
     * An exception for one reservation.
     *
     * @param step the step that was refused, such as ack or retry
     * @param gone whether the message is no longer in the queue; if false, it is there but not reserved by this holder
     */
    public StaleReservationException(String step, String queue, String id, boolean gone) {
        super(
                step + " of message " + id + " in queue '" + queue + "' refused: "
                        + (gone
                                ? "it is no longer in the queue"
                                : "its lease ended, and it is reserved by another consumer or was given back"),
                queue,
                id,
                null);
        this.gone = gone;
    }

    /** Whether the message is no longer in the queue. */
    public boolean gone() {
        return gone;
    }
}

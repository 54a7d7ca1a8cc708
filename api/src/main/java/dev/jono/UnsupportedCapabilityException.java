package dev.jono;

/** The backend does not support an operation. Nothing was changed. */
public final class UnsupportedCapabilityException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final Capability capability;

    /**
     * An exception for one operation.
     *
     * @param operation the operation that was called
     * @param backend the type of the backend
     * @param capability the capability that the operation needs
     */
    public UnsupportedCapabilityException(String operation, String queue, String backend, Capability capability) {
        super(
                operation + " on queue '" + queue + "' needs " + capability + ", which backend '" + backend
                        + "' does not have",
                queue,
                null,
                null);
        this.capability = capability;
    }

    /** The capability that is missing. */
    public Capability capability() {
        return capability;
    }
}

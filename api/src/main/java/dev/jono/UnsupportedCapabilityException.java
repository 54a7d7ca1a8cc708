package dev.jono;

/** The backend cannot do what was asked, and says so instead of doing something else. */
public final class UnsupportedCapabilityException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final Capability capability;

    /** The operation that was asked for, and the capability that it needs. */
    public UnsupportedCapabilityException(String operation, String queue, String backend, Capability capability) {
        super(
                operation + " on queue '" + queue + "' needs " + capability + ", which backend '" + backend
                        + "' does not have",
                queue,
                null,
                null);
        this.capability = capability;
    }

    /** What is missing. */
    public Capability capability() {
        return capability;
    }
}

package dev.jono;

import java.util.Set;

/** A backend that was found on the class path. Immutable. */
public final class BackendInfo {
    private final String type;
    private final Set<Capability> capabilities;

    private BackendInfo(String type, Set<Capability> capabilities) {
        this.type = type;
        this.capabilities = Set.copyOf(capabilities);
    }

    /**
     * Returns the description of a backend.
     *
     * @param type the type, with which its URLs begin
     * @param capabilities the most that it can do
     */
    public static BackendInfo of(String type, Set<Capability> capabilities) {
        return new BackendInfo(type, capabilities);
    }

    /** The type, with which its URLs begin. */
    public String type() {
        return type;
    }

    /** The most that it can do; an opened backend may be able to do less. */
    public Set<Capability> capabilities() {
        return capabilities;
    }
}

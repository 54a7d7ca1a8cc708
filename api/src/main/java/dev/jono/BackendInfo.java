package dev.jono;

import java.util.Set;

/** A backend that is on the class path. */
public final class BackendInfo {
    private final String type;
    private final Set<Capability> capabilities;

    private BackendInfo(String type, Set<Capability> capabilities) {
        this.type = type;
        this.capabilities = Set.copyOf(capabilities);
    }

    /** A backend of this name that can do this at the most. */
    public static BackendInfo of(String type, Set<Capability> capabilities) {
        return new BackendInfo(type, capabilities);
    }

    /** Its name, as URLs begin with it. */
    public String type() {
        return type;
    }

    /** The most that it can do. */
    public Set<Capability> capabilities() {
        return capabilities;
    }
}

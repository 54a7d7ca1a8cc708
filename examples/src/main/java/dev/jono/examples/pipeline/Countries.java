package dev.jono.examples.pipeline;

import java.util.Optional;

/** Looks up the country of an address. In practice this is a remote service that can fail. */
@FunctionalInterface
public interface Countries {
    /** The country; empty if it is temporarily unknown. */
    Optional<String> of(String address);

    /** An implementation with invented data, which never fails. */
    static Countries byHash() {
        String[] names = {"FI", "SE", "EE", "DE"};
        return address -> Optional.of(names[Math.floorMod(address.hashCode(), names.length)]);
    }
}

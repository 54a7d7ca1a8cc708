package dev.jono.examples.pipeline;

import java.util.Optional;

/** Tells in which country an address is: a service of somebody else's, as a rule, and at times away. */
@FunctionalInterface
public interface Countries {
    /** The country; empty when that cannot be told for now. */
    Optional<String> of(String address);

    /** A made-up one that is never away. */
    static Countries byHash() {
        String[] names = {"FI", "SE", "EE", "DE"};
        return address -> Optional.of(names[Math.floorMod(address.hashCode(), names.length)]);
    }
}

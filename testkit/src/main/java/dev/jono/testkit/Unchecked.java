package dev.jono.testkit;

/** Values that the compiler would not accept. */
final class Unchecked {
    private Unchecked() {}

    /** Returns null for a type that excludes it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // Tests pass null to see that it is refused.
    static <T> T nullOf() {
        return null;
    }
}

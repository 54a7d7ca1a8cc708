package dev.jono.testkit;

/** Values that the compiler would not let a test pass. */
final class Unchecked {
    private Unchecked() {}

    /** Null, where the type says that it cannot be. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // To see that it is refused, whatever its type.
    static <T> T nullOf() {
        return null;
    }
}

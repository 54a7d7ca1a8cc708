package dev.jono.internal.concurrent;

import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** Checks of numbers that users pass. Stateless. */
public final class Arguments {
    private Arguments() {}

    /**
     * Returns the value.
     *
     * @throws IllegalArgumentException if it is less than {@code least}
     */
    @CanIgnoreReturnValue
    public static int atLeast(int least, int value, String what) {
        if (value < least) {
            throw new IllegalArgumentException(what + " must be at least " + least + ": " + value);
        }
        return value;
    }
}

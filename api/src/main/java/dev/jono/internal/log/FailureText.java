package dev.jono.internal.log;

/**
 * The text of a failure. A failure of the application may throw when it is asked for its text; then its class name is used.
 * Stateless.
 */
public final class FailureText {
    private FailureText() {}

    /** Its {@code toString}, or the name of its class. Never null, and never throws. */
    public static String of(Throwable failure) {
        try {
            String text = failure.toString();
            if (text != null) {
                return text;
            }
        } catch (Throwable broken) {
            // Its class is known all the same.
        }
        return failure.getClass().getName();
    }

    /** Its message, or the name of its class where it has none. Never null, and never throws. */
    public static String message(Throwable failure) {
        try {
            String message = failure.getMessage();
            if (message != null) {
                return message;
            }
        } catch (Throwable broken) {
            // Its class is known all the same.
        }
        return failure.getClass().getName();
    }
}

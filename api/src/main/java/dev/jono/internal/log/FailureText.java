package dev.jono.internal.log;

/**
 * Returns the text of a failure. If an exception of the application throws from its own methods, its class name is used. Called
 * on any thread. Stateless.
 */
public final class FailureText {
    private FailureText() {}

    /** Returns the {@code toString} of a failure, or the name of its class. Never returns null, and never throws. */
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

    /** Returns the message of a failure, or the name of its class if it has none. Never returns null, and never throws. */
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

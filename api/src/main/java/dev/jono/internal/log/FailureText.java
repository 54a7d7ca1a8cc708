package dev.jono.internal.log;

/** What a failure says of itself. One of the application's may throw while it is asked: then its class has to do. */
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

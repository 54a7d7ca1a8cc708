package dev.jono.jobs.internal;

/** Texts of bounded length for records. */
final class Texts {
    private static final int MAX_CAUSES = 10;

    private Texts() {}

    /** Cuts a text, between characters. */
    static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + '…';
    }

    /** The texts of a failure and its causes. */
    static String of(Throwable failure, int max) {
        StringBuilder text = new StringBuilder();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = cause.getCause()) {
            text.append(depth == 0 ? "" : "; caused by ").append(safe(cause));
        }
        return cut(text.toString(), max);
    }

    /** An exception of the application can throw when it is printed. */
    private static String safe(Throwable failure) {
        try {
            return String.valueOf(failure);
        } catch (RuntimeException | StackOverflowError broken) {
            return failure.getClass().getName();
        }
    }
}

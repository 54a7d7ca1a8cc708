package dev.jono.jobs.internal;

import java.util.regex.Pattern;

/**
 * The id of a job: the name of its type and the id of its message, which stays the same in all queues.
 *
 * @param type the name of the type
 * @param message the id of the message
 */
record JobId(String type, String message) {
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_.-]{1,100}:.{1,200}");

    static JobId parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not the id of a job: expected a form such as resize:17");
        }
        int colon = text.indexOf(':');
        return new JobId(text.substring(0, colon), text.substring(colon + 1));
    }

    @Override
    public String toString() {
        return type + ':' + message;
    }
}

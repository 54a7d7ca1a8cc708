package dev.jono.jobs;

import java.util.Objects;
import java.util.regex.Pattern;

/** Checks tags of jobs. */
final class Tags {
    private static final Pattern TAG = Pattern.compile("[^,\\p{Cntrl}]{1,100}");

    private Tags() {}

    static String check(String tag) {
        if (!TAG.matcher(Objects.requireNonNull(tag, "tag")).matches()) {
            throw new IllegalArgumentException(
                    "tag '" + tag + "' is not allowed: 1 to 100 characters, no comma, no control characters");
        }
        return tag;
    }
}

package dev.jono.jobs.internal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The end of a page of jobs.
 *
 * @param section the name of the section in which it ended
 * @param place the place in that section; empty for its beginning
 */
record JobCursor(String section, String place) {
    /** Reads the text of a cursor; null for none. */
    static @Nullable JobCursor parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8).split("\n", 2);
            if (parts.length == 2) {
                return new JobCursor(parts[0], parts[1]);
            }
        } catch (IllegalArgumentException notBase64) {
            // told below
        }
        throw new IllegalArgumentException("'" + text + "' is not the cursor of a page of jobs");
    }

    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((section + '\n' + place).getBytes(StandardCharsets.UTF_8));
    }
}

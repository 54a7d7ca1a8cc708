package dev.jono.jobs.internal;

import dev.jono.Durations;
import dev.jono.Headers;
import dev.jono.PushOptions;
import dev.jono.jobs.UniqueMode;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The unique key of a job. All lanes of its type share the key. A header of the message keeps it, so that the caller that ends the job
 * can free it: a letter for the mode, and the key.
 *
 * @param mode what frees it
 * @param key the key
 */
record UniqueJob(Mode mode, String key) {
    private static final String HEADER = "job-unique";

    /** What frees the key. */
    enum Mode {
        /** The start of the first run. */
        STARTED('s'),
        /** The start of the first run, which takes the newest payload. */
        LATEST('l'),
        /** The end of the job. */
        DONE('d');

        private final char letter;

        Mode(char letter) {
            this.letter = letter;
        }

        private static Mode of(UniqueMode mode) {
            return mode.equals(UniqueMode.LATEST) ? LATEST : mode.equals(UniqueMode.UNTIL_STARTED) ? STARTED : DONE;
        }
    }

    /** Names the keys of a type, in the slot of its queues. */
    static String scope(String type) {
        return "{jobs:" + type + "}";
    }

    /** Adds a key to the options of a push. */
    static PushOptions addTo(PushOptions options, String type, String key, UniqueMode mode) {
        Duration window = mode.window();
        if (window != null) {
            return options.unique(scope(type), key, window);
        }
        return options.unique(scope(type), key, Durations.MAX).header(HEADER, Mode.of(mode).letter + key);
    }

    /** The key that the state of a job frees; null for none. */
    static @Nullable UniqueJob of(Headers headers) {
        String text = headers.string(HEADER);
        if (text == null || text.isEmpty()) {
            return null;
        }
        Mode mode = Arrays.stream(Mode.values())
                .filter(each -> each.letter == text.charAt(0))
                .findFirst()
                .orElse(Mode.DONE);
        return new UniqueJob(mode, text.substring(1));
    }

    /** Whether a duplicate replaces the payload of the job while it waits. */
    static boolean isLatest(Headers headers) {
        UniqueJob unique = of(headers);
        return unique != null && unique.mode == Mode.LATEST;
    }
}

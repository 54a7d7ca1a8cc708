package dev.jono.cli;

import dev.jono.PushOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code push} for ordering keys and unique keys. */
final class PushKeys {
    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "The ordering key: a message waits until earlier ones of its key are done. Needs --keyed.")
    private @Nullable String key;

    @Option(
            names = "--unique",
            paramLabel = "KEY",
            description =
                    "Store the message only if none was pushed under this key within the time before that --window"
                            + " names. Otherwise the message is a duplicate: it is not stored, and the exit code is 0.")
    private @Nullable String unique;

    @Option(
            names = "--window",
            paramLabel = "DURATION",
            description = "For --unique: how long further messages are duplicates, from the first one.")
    private @Nullable Duration window;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "For --unique: queues with this scope share their keys.")
    private @Nullable String scope;

    /**
     * Refuses wrong combinations.
     *
     * @param keyed whether the queue is opened with ordering keys
     */
    void check(boolean keyed) {
        if (key != null && !keyed) {
            throw CliException.usage("--key needs --keyed");
        }
        if (unique == null && (window != null || scope != null)) {
            throw CliException.usage("--window and --scope need --unique");
        }
        if (unique != null && window == null) {
            throw CliException.usage("--unique needs --window");
        }
    }

    /** Returns the options with the keys. */
    PushOptions addTo(PushOptions options) {
        PushOptions keyed = key == null ? options : options.key(key);
        if (unique == null || window == null) {
            return keyed;
        }
        return scope == null ? keyed.unique(unique, window) : keyed.unique(scope, unique, window);
    }
}

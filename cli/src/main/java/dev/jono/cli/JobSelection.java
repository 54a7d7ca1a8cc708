package dev.jono.cli;

import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select jobs. */
final class JobSelection {
    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only jobs in this state: scheduled, retrying, waiting, blocked, running, failed, succeeded,"
                    + " cancelled or expired.")
    private @Nullable JobState state;

    @Option(names = "--tag", paramLabel = "TAG", description = "Only jobs with this tag.")
    private @Nullable String tag;

    @Option(names = "--key", paramLabel = "KEY", description = "Only jobs with this ordering key.")
    private @Nullable String key;

    @Option(names = "--batch", paramLabel = "BATCH", description = "Only jobs of this batch.")
    private @Nullable String batch;

    /** Whether no option is given. */
    boolean isEmpty() {
        return state == null && tag == null && key == null && batch == null;
    }

    /** The state; null for all. */
    @Nullable JobState state() {
        return state;
    }

    /** The query for jobs of a type; null for all types. */
    JobQuery query(@Nullable String type) {
        JobQuery query = type == null ? JobQuery.all() : JobQuery.ofType(type);
        query = state == null ? query : query.state(state);
        query = tag == null ? query : query.tag(tag);
        query = key == null ? query : query.key(key);
        return batch == null ? query : query.batch(batch);
    }
}

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

    /** The query for jobs of a type; null for all types. */
    JobQuery query(@Nullable String type) {
        JobQuery query = type == null ? JobQuery.all() : JobQuery.ofType(type);
        query = state == null ? query : query.state(state);
        query = tag == null ? query : query.tag(tag);
        return key == null ? query : query.key(key);
    }
}

package dev.jono.cli;

import dev.jono.Durations;
import dev.jono.jobs.JobType;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit the runs of a type. */
final class JobLimits {
    private static final Pattern RATE = Pattern.compile("([0-9]{1,9})/(.+)");

    @Option(
            names = "--keyed",
            arity = "0..1",
            preprocessor = KeyedOption.AttachedOnly.class,
            paramLabel = "N",
            description =
                    "Run jobs with ordering keys too, up to N of a key at once. Without N: 1, which keeps the order of the jobs"
                            + " of a key. All processes must use the same value.")
    private @Nullable Integer maxPerKey;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Run at most N jobs of the type at once, over all processes.")
    private @Nullable Integer limit;

    @Option(
            names = "--rate",
            paramLabel = "N/TIME",
            description = "Start at most N jobs of the type within a time, over all processes, such as 100/1m.")
    private @Nullable String rate;

    /** Adds the limits to a type; a wrong value is refused. */
    <P, R> JobType<P, R> addTo(JobType<P, R> type) {
        try {
            JobType<P, R> limited = type;
            if (maxPerKey != null) {
                // The jobs have their keys in the storage; this runner enqueues none.
                limited = limited.key(payload -> null).limitPerKey(maxPerKey);
            }
            limited = limit == null ? limited : limited.limit(limit);
            return rate == null ? limited : withRate(limited, rate);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(ErrorLine.of(e));
        }
    }

    private static <P, R> JobType<P, R> withRate(JobType<P, R> type, String text) {
        Matcher parts = RATE.matcher(text);
        if (!parts.matches()) {
            throw CliException.usage("--rate must be a number and a time, such as 100/1m: " + text);
        }
        Duration per = Durations.parse(parts.group(2));
        return type.rate(Integer.parseInt(parts.group(1)), per);
    }
}

package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleOptions;
import dev.jono.jobs.ScheduleView;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "set",
        sortOptions = false,
        description =
                "Create a schedule, or replace the one with this name. Prints the schedule with its next occurrence.")
final class SchedulesSetCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "The name of the schedule.")
    private String name = "";

    @Parameters(
            index = "2",
            paramLabel = "CRON",
            description = "Minute, hour, day of month, month, day of week; or six fields, with the seconds first.")
    private String cron = "";

    @Parameters(index = "3", paramLabel = "PAYLOAD", description = "The payload of the jobs.")
    private String payload = "";

    @Option(
            names = "--zone",
            required = true,
            paramLabel = "ZONE",
            description = "The time zone of the expression, such as UTC or Europe/Berlin. Required.")
    private @Nullable ZoneId zone;

    @Option(names = "--type", required = true, paramLabel = "TYPE", description = "The type of the jobs. Required.")
    private String type = "";

    @Option(
            names = "--as",
            paramLabel = "KIND",
            description = "The kind of the payload: json (default), string or bytes (base64).")
    private PayloadKind kind = PayloadKind.JSON;

    @Option(
            names = "--priority",
            paramLabel = "PRIORITY",
            description = "critical, high, medium, normal (default) or low.")
    private JobPriority priority = JobPriority.NORMAL;

    @Option(names = "--tag", paramLabel = "TAG", description = "A tag of the jobs; may be repeated.")
    private List<String> tags = List.of();

    @Option(
            names = "--missed-after",
            paramLabel = "DURATION",
            description = "An occurrence that is later than this is missed. Default: 1m.")
    private @Nullable Duration missedAfter;

    @Option(
            names = "--skip-missed",
            description = "Skip missed occurrences. By default, one job runs for those that were missed together.")
    private boolean skipMissed;

    SchedulesSetCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        JobOptions.type(type);
        options(ScheduleOptions.none());
    }

    private ScheduleOptions options(ScheduleOptions none) {
        try {
            ScheduleOptions options = none.priority(priority);
            options = missedAfter != null ? options.missedAfter(missedAfter) : options;
            options = skipMissed ? options.skipMissed() : options;
            for (String tag : tags) {
                options = options.tag(tag);
            }
            return options;
        } catch (IllegalArgumentException e) {
            throw CliException.usage(ErrorLine.of(e));
        }
    }

    @Override
    boolean createsStorage() {
        return true;
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        PayloadSource source = PayloadSource.words(List.of(payload), kind);
        source.advance();
        JsonLines lines = new JsonLines(io().out());
        ScheduleLines.schedule(lines, set(Jobs.on(jono), source.payload(1)));
        lines.flush();
        return Exit.DONE;
    }

    private ScheduleView set(Jobs jobs, EncodedPayload encoded) {
        try {
            return jobs.schedule(
                    name, cron, Objects.requireNonNull(zone), JobOptions.type(type), encoded, this::options);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(ErrorLine.of(e));
        }
    }
}

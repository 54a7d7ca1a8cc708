package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "enqueue",
        sortOptions = false,
        description = "Enqueue jobs of a type, one for each payload. Prints their ids.")
final class JobsEnqueueCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "TYPE", description = "The name of the type.")
    private String type = "";

    @Parameters(index = "2..*", arity = "1..*", paramLabel = "PAYLOAD", description = "The payloads.")
    private List<String> payloads = List.of();

    @Option(
            names = "--as",
            paramLabel = "KIND",
            description = "The kind of the payloads: json (default), string or bytes (base64).")
    private PayloadKind kind = PayloadKind.JSON;

    @Option(
            names = "--priority",
            paramLabel = "PRIORITY",
            description = "critical, high, medium, normal (default) or low.")
    private @Nullable JobPriority priority;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = {
                "The ordering key: jobs with the same key run one after the other.",
                "Runners need --keyed; the type of a program needs JobType.key."
            })
    private @Nullable String key;

    @Option(names = "--delay", paramLabel = "DURATION", description = "The jobs are due after this time.")
    private @Nullable Duration delay;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "The jobs are due at this time, such as 2030-12-31T23:59:00Z.")
    private @Nullable Instant at;

    @Option(names = "--tag", paramLabel = "TAG", description = "A tag; may be repeated.")
    private List<String> tags = List.of();

    @Option(
            names = "--unique",
            paramLabel = "KEY",
            description = "Enqueue no job while another one of the type with this key waits or runs.")
    private @Nullable String unique;

    @Option(
            names = "--unique-mode",
            paramLabel = "MODE",
            description = {
                "How long a job keeps its unique key: until-done (default), until-started, or latest.",
                "latest: as until-started, and the waiting job gets this payload. The key is the ordering key too: see --key."
            })
    private @Nullable String uniqueMode;

    @Option(
            names = "--after",
            paramLabel = "ID",
            description = "Start the jobs only after the job with this id has succeeded; may be repeated.")
    private List<String> after = List.of();

    JobsEnqueueCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (delay != null && at != null) {
            throw CliException.usage("--delay and --at exclude each other");
        }
        if (key != null && priority != null) {
            throw CliException.usage("--key and --priority exclude each other");
        }
        if (uniqueMode != null && unique == null) {
            throw CliException.usage("--unique-mode needs --unique");
        }
        if (isLatest() && (priority != null || (key != null && !key.equals(unique)))) {
            throw CliException.usage("--unique-mode latest excludes --priority, and --key with another key");
        }
        JobOptions.type(type);
        options(EnqueueOptions.none());
    }

    private boolean isLatest() {
        return "latest".equals(uniqueMode);
    }

    private static UniqueMode mode(String name) {
        return switch (name) {
            case "until-done" -> UniqueMode.UNTIL_DONE;
            case "until-started" -> UniqueMode.UNTIL_STARTED;
            case "latest" -> UniqueMode.LATEST;
            default ->
                throw CliException.usage(
                        "--unique-mode must be until-done, until-started or latest, not '" + name + "'");
        };
    }

    private EnqueueOptions options(EnqueueOptions none) {
        try {
            EnqueueOptions options = priority != null ? none.priority(priority) : none;
            options = key != null ? options.key(key) : options;
            options = at != null ? options.at(at) : delay != null ? options.delay(delay) : options;
            options = unique == null
                    ? options
                    : uniqueMode == null ? options.unique(unique) : options.unique(unique, mode(uniqueMode));
            options = after.isEmpty() ? options : options.after(after.toArray(String[]::new));
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
        List<EncodedPayload> encoded = new ArrayList<>();
        PayloadSource source = PayloadSource.words(payloads, kind);
        while (source.advance()) {
            encoded.add(source.payload(encoded.size() + 1L));
        }
        JobType<EncodedPayload, EncodedPayload> plain = JobOptions.type(type);
        // The runners of the type must know that it has keys: their --keyed, or JobType.key of a program.
        JobType<EncodedPayload, EncodedPayload> chosen = key != null || isLatest() ? plain.key(payload -> null) : plain;
        JsonLines lines = new JsonLines(io().out());
        for (JobHandle<?> job : Jobs.on(jono).enqueueAll(chosen, encoded, this::options)) {
            lines.line(json -> {
                json.writeStringField("id", job.id());
                if (job.duplicate()) {
                    json.writeBooleanField("duplicate", true);
                }
            });
        }
        lines.flush();
        return Exit.DONE;
    }
}

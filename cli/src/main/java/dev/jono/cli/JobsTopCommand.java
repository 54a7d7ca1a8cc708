package dev.jono.cli;

import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "top",
        sortOptions = false,
        description = {
            "Show the types, the running jobs and the runners again and again, until Ctrl-C.",
            "Retrying jobs are counted as scheduled. A type with waiting jobs and no runners waits for a process that handles it.",
            "ENDED/S is the growth of the numbers of kept ended jobs. Jobs that are kept for no time do not count, and the removal"
                    + " of old ones makes it smaller.",
            "A terminal shows each frame in place of the last one. Otherwise the frames are written one after the other."
        })
final class JobsTopCommand extends StorageCommand {
    private static final int MAX_RUNNING = 20;
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Option(names = "-n", paramLabel = "N", description = "End after N frames. Default: no end.")
    private long frames = Long.MAX_VALUE;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            description = "The time between two frames, at least 100ms. Default: ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(2);

    JobsTopCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        if (frames < 1) {
            throw CliException.usage("-n must be at least 1: " + frames);
        }
        if (interval.compareTo(SHORTEST) < 0) {
            throw CliException.usage("--interval must be at least 100ms");
        }
    }

    @Override
    int run(QueueFactory jono) throws IOException, InterruptedException {
        try (Screen screen = new Screen(io());
                InterruptSignals signals = new InterruptSignals(screen::restore)) {
            try {
                show(Jobs.on(jono), screen);
            } catch (InterruptedException | JonoException e) {
                if (!signals.raised()) {
                    throw e;
                }
            }
            return Exit.DONE;
        }
    }

    private void show(Jobs jobs, Screen screen) throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        JobsFrame before = null;
        for (long i = 0; i < frames; i++) {
            if (i > 0 && never.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            before = show(jobs, screen, before);
        }
    }

    private static JobsFrame show(Jobs jobs, Screen screen, @Nullable JobsFrame before) throws IOException {
        JobsFrame frame = new JobsFrame(
                JonoClock.system().nanos(),
                jobs.counts(),
                jobs.find(JobQuery.all().state(JobState.RUNNING).limit(MAX_RUNNING))
                        .jobs(),
                jobs.runners());
        screen.show(screen.isTerminal() ? frame.lines(before, screen.size()) : frame.lines(before));
        return frame;
    }
}

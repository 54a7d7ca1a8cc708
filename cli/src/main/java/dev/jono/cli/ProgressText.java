package dev.jono.cli;

import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobView;
import java.util.List;
import java.util.Locale;

/** Writes the progress of jobs as text with a bar, such as {@code [=========>          ]  45 % (9 of 20)}. */
final class ProgressText {
    private static final int WIDTH = 20;

    private ProgressText() {}

    /** The progress of a job; an empty text if it has reported none. */
    static String of(JobView job) {
        return job.progress().map(ProgressText::of).orElse("");
    }

    private static String of(JobProgress progress) {
        int percent = progress.percent();
        int done = percent * WIDTH / 100;
        String bar = "=".repeat(done) + (done < WIDTH ? ">" + " ".repeat(WIDTH - done - 1) : "");
        return String.format(Locale.ROOT, "[%s] %3d %% (%d of %d)", bar, percent, progress.done(), progress.total());
    }

    /** Shows the progress of running jobs to a person; a program that reads the output gets no such lines. */
    static void say(Io io, List<JobView> running) {
        if (io.terminal() && io.screen()) {
            running.stream()
                    .filter(job -> job.progress().isPresent())
                    .forEach(job -> io.say(printable(job.id()) + "  " + of(job)));
        }
    }

    /** Replaces control characters, which could change the terminal. */
    static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}

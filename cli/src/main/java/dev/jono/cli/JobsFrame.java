package dev.jono.cli;

import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.RunnerView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code jono jobs top} shows at one moment.
 *
 * @param nanos when the jobs were counted
 * @param counts the number of jobs by type and state
 * @param running some of the running jobs
 * @param runners all runners
 */
record JobsFrame(long nanos, Map<String, Map<JobState, Long>> counts, List<JobView> running, List<RunnerView> runners) {
    private static final int MAX_ROWS = 20;
    /** The widths of columns; those of columns that begin at the left are negative. */
    private static final List<Integer> TYPE_ROW = List.of(-24, 9, 9, 9, 9, 9, 9, 9, 8);

    private static final String TYPE_HEADER = row(
            TYPE_ROW,
            "TYPE",
            "WAITING",
            "SCHEDULED",
            "BLOCKED",
            "RUNNING",
            "FAILED",
            "SUCCEEDED",
            "ENDED/S",
            "RUNNERS");
    private static final List<Integer> JOB_ROW = List.of(-48, 7, -1);
    private static final List<Integer> RUNNER_ROW = List.of(-32, -9, 9, -1);
    private static final List<JobState> ENDED =
            List.of(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED, JobState.EXPIRED);

    /**
     * The lines of the frame.
     *
     * @param before the last frame, for the rates; null if this is the first one
     */
    List<String> lines(@Nullable JobsFrame before) {
        return lines(before, MAX_ROWS);
    }

    /** The same, for a terminal of this size: the longer parts of the frame have fewer rows. */
    List<String> lines(@Nullable JobsFrame before, Screen.Size size) {
        int rows = MAX_ROWS;
        List<String> lines = lines(before, rows);
        while (lines.size() > size.lines() && rows > 1) {
            rows--;
            lines = lines(before, rows);
        }
        return lines.stream()
                .limit(size.lines())
                .map(line -> line.substring(0, Math.min(line.length(), size.columns())))
                .toList();
    }

    private List<String> lines(@Nullable JobsFrame before, int rows) {
        List<String> lines = new ArrayList<>();
        lines.add(TYPE_HEADER);
        add(
                lines,
                rows,
                counts.keySet().stream().map(type -> type(type, before)).toList());
        lines.add("");
        lines.add(row(JOB_ROW, "RUNNING JOB", "ATTEMPT", "PROGRESS"));
        add(lines, rows, running.stream().map(JobsFrame::job).toList());
        lines.add("");
        lines.add(row(RUNNER_ROW, "RUNNER", "STATE", "RUNNING", "TYPES"));
        add(lines, rows, runners.stream().map(JobsFrame::runner).toList());
        return lines;
    }

    private static void add(List<String> lines, int max, List<String> rows) {
        lines.addAll(rows.subList(0, Math.min(max, rows.size())));
        if (rows.size() > max) {
            lines.add("... and " + (rows.size() - max) + " more");
        }
    }

    private static String row(List<Integer> widths, Object... cells) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String cell = cells[i].toString();
            int width = widths.get(i);
            String padding = " ".repeat(Math.max(0, Math.abs(width) - cell.length()));
            row.append(i == 0 ? "" : " ").append(width < 0 ? cell + padding : padding + cell);
        }
        return row.toString().stripTrailing();
    }

    private String type(String type, @Nullable JobsFrame before) {
        long handling =
                runners.stream().filter(runner -> runner.types().contains(type)).count();
        return row(
                TYPE_ROW,
                type,
                count(type, JobState.WAITING),
                count(type, JobState.SCHEDULED),
                count(type, JobState.BLOCKED),
                count(type, JobState.RUNNING),
                count(type, JobState.FAILED),
                count(type, JobState.SUCCEEDED),
                before == null ? "-" : String.format(Locale.ROOT, "%.1f", endedPerSecond(type, before)),
                handling == 0 ? "none" : Long.toString(handling));
    }

    private long count(String type, JobState state) {
        return counts.getOrDefault(type, Map.of()).getOrDefault(state, 0L);
    }

    private double endedPerSecond(String type, JobsFrame before) {
        long ended = ENDED.stream()
                .mapToLong(state -> Math.max(0, count(type, state) - before.count(type, state)))
                .sum();
        return ended * 1e9 / Math.max(1, nanos - before.nanos);
    }

    private static String job(JobView job) {
        String progress = ProgressText.of(job);
        return row(JOB_ROW, ProgressText.printable(job.id()), job.attempt(), progress.isEmpty() ? "-" : progress);
    }

    private static String runner(RunnerView runner) {
        return row(
                RUNNER_ROW,
                ProgressText.printable(runner.name()),
                runner.state().name().toLowerCase(Locale.ROOT),
                runner.running() + "/" + runner.concurrency(),
                ProgressText.printable(String.join(" ", runner.types())));
    }
}

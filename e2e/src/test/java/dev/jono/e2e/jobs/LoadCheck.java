package dev.jono.e2e.jobs;

import dev.jono.Codec;
import dev.jono.QueueFactory;
import dev.jono.e2e.jobs.Journal.Run;
import dev.jono.e2e.jobs.LoadProducer.Enqueued;
import dev.jono.e2e.jobs.LoadTypes.Task;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Compares what the storage has at the end of a {@link JobLoad} with what was enqueued, and with the journals. */
final class LoadCheck {
    private static final int PAGE = 1000;
    private static final List<String> LANES = List.of("critical", "high", "medium", "keyed", "normal", "low");

    private final QueueFactory jono;
    private final Jobs jobs;
    private final LoadProducer producer;
    private final Map<String, Long> killed;
    private final List<Run> runs;
    private final Map<String, List<Run>> runsOfJob;
    /** The jobs that must exist, by id. Those of schedules and callbacks are not among them. */
    private final Map<String, Task> expected = new LinkedHashMap<>();

    private final Map<String, JobView> found = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    /**
     * The result of a load.
     *
     * @param violations what is wrong
     * @param figures what was done
     * @param warnings of the runners, without those of jobs that have failed
     */
    record Report(List<String> violations, Map<String, Object> figures, List<String> warnings) {}

    LoadCheck(QueueFactory jono, LoadProducer producer, Path folder, Map<String, Long> killed) {
        this.jono = jono;
        this.jobs = Jobs.on(jono);
        this.producer = producer;
        this.killed = killed;
        this.runs = Journal.read(folder, name -> killed.getOrDefault(name, Long.MAX_VALUE));
        this.runsOfJob = runs.stream()
                .sorted(Comparator.comparingLong(Run::start))
                .collect(Collectors.groupingBy(Run::job, LinkedHashMap::new, Collectors.toList()));
        producer.enqueued().forEach((id, enqueued) -> expected.put(id, enqueued.task()));
        expected.putAll(Journal.added(folder));
    }

    Report report(List<String> known, Map<String, Instant> firstOccurrences, List<String> warnings) {
        violations.addAll(known);
        producer.failures().forEach(failure -> violations.add("an enqueue has failed: " + failure));
        LoadTypes.ALL.forEach(this::list);
        expected.forEach(this::checkJob);
        producer.duplicates().stream()
                .filter(id -> !expected.containsKey(id))
                .forEach(id -> violations.add("a duplicate of a job that nobody has enqueued: " + id));
        runs.stream()
                .filter(run -> run.cut() && !killed.containsKey(run.process()))
                .forEach(run -> violations.add("a run without an end: " + run));
        LoadTypes.ALL.forEach(this::checkQueues);
        checkTurns(
                LoadTypes.ORDERED, Comparator.comparingInt(turn -> turn.get(0).number()));
        checkTurns(
                LoadTypes.UNIQUE, Comparator.comparingLong(turn -> turn.get(0).start()));
        checkOwners();
        checkLimit();
        new BatchCheck(jobs, producer, found, expected, runs, violations).run();
        long occurrences = new ScheduleCheck(jobs, found, violations).run(firstOccurrences);
        return new Report(violations, figures(occurrences), warnings);
    }

    /** Reads all jobs of a type, and compares their number with the counts. */
    private void list(JobType<Task, Void> type) {
        Map<JobState, Long> listed = new EnumMap<>(JobState.class);
        JobQuery query = JobQuery.ofType(type).limit(PAGE);
        JobPage page = jobs.find(query);
        while (true) {
            for (JobView job : page.jobs()) {
                listed.merge(job.state(), 1L, Long::sum);
                if (found.put(job.id(), job) != null) {
                    violations.add("listed twice: " + job.id());
                }
                if (!job.state().isEnded()) {
                    violations.add("not ended: " + job);
                }
            }
            if (page.next().isEmpty()) {
                break;
            }
            page = jobs.find(query.after(page.next().get()));
        }
        Map<JobState, Long> counted = jobs.counts().getOrDefault(type.name(), Map.of());
        if (!listed.equals(counted)) {
            violations.add("jobs of type " + type + ": listed " + listed + ", counted " + counted);
        }
    }

    private void checkJob(String id, Task task) {
        JobView job = found.get(id);
        if (job == null) {
            violations.add("lost: " + id + " " + task + ", its runs " + runsOfJob.get(id));
            return;
        }
        JobState must = task.mustFail() ? JobState.FAILED : JobState.SUCCEEDED;
        if (job.state() != must) {
            violations.add(
                    id + " " + task + " is " + job.state() + ": " + job.reason() + ", its runs " + runsOfJob.get(id));
        }
        List<Run> all = runsOfJob.getOrDefault(id, List.of());
        int most = job.type().equals(LoadTypes.FAILING.name()) ? LoadTypes.FEW : LoadTypes.PLAIN.maxAttempts();
        if (all.isEmpty() || all.size() > most) {
            violations.add(id + " has " + all.size() + " runs: " + all);
        }
        long ended = job.endedAt().map(Instant::toEpochMilli).orElse(0L);
        for (Run run : all) {
            if (TimeUnit.MICROSECONDS.toMillis(run.start()) > ended) {
                violations.add(id + " ran after its end at " + ended + ": " + all);
            }
        }
    }

    /** Only the messages of failed jobs are left. */
    private void checkQueues(JobType<Task, Void> type) {
        for (String lane : LANES) {
            long left = jono.queue("{jobs:" + type + "}:" + lane, Codec.raw()).totalSize();
            if (left > 0) {
                violations.add("messages of ended jobs of type " + type + " in the queue " + lane + ": " + left);
            }
        }
        long dead = jono.queue("{jobs:" + type + "}:failed", Codec.raw()).totalSize();
        long failed = found.values().stream()
                .filter(job -> job.type().equals(type.name()) && job.state() == JobState.FAILED)
                .count();
        if (dead != failed) {
            violations.add("failed jobs of type " + type + ": " + failed + ", dead letters: " + dead);
        }
    }

    /** The jobs of a group run one after the other: all runs of one end before the first run of the next one. */
    private void checkTurns(JobType<Task, Void> type, Comparator<List<Run>> order) {
        Map<String, List<List<Run>>> groups = runsOfJob.values().stream()
                .filter(all -> all.get(0).type().equals(type.name()))
                .sorted(order)
                .collect(Collectors.groupingBy(all -> all.get(0).group()));
        groups.forEach((group, turns) -> {
            for (int i = 1; i < turns.size(); i++) {
                if (end(turns.get(i - 1)) > turns.get(i).get(0).start()) {
                    violations.add("not in turn in group " + group + ": " + turns.get(i - 1) + " and " + turns.get(i));
                }
            }
        });
    }

    private static long end(List<Run> all) {
        return all.stream().mapToLong(Run::end).max().orElseThrow();
    }

    /** A job with a unique key is enqueued only after the runs of the previous one with the key. */
    private void checkOwners() {
        Map<String, List<Map.Entry<String, Enqueued>>> groups = producer.enqueued().entrySet().stream()
                .filter(each -> each.getValue().type() == LoadTypes.UNIQUE)
                .sorted(Comparator.comparingLong(each -> each.getValue().answered()))
                .collect(Collectors.groupingBy(each -> each.getValue().task().group()));
        groups.forEach((key, owners) -> {
            for (int i = 1; i < owners.size(); i++) {
                List<Run> before = runsOfJob.getOrDefault(owners.get(i - 1).getKey(), List.of());
                long answered = owners.get(i).getValue().answered();
                if (!before.isEmpty() && end(before) > answered) {
                    violations.add("two owners of unique key " + key + ": " + before + ", the next one was enqueued at "
                            + answered);
                }
            }
        });
    }

    private void checkLimit() {
        record Change(long time, int by) {}
        List<Change> changes = new ArrayList<>();
        for (Run run : runs) {
            if (run.type().equals(LoadTypes.LIMITED.name())) {
                changes.add(new Change(run.start(), 1));
                changes.add(new Change(run.end(), -1));
            }
        }
        changes.sort(Comparator.comparingLong(Change::time).thenComparingInt(Change::by));
        int running = 0;
        for (Change change : changes) {
            running += change.by;
            if (running > LoadTypes.LIMIT) {
                violations.add(running + " jobs over the limit ran at " + change.time);
            }
        }
    }

    private Map<String, Object> figures(long occurrences) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("jobs", found.size());
        figures.put("duplicates", producer.duplicates().size());
        figures.put("batches", producer.batches().size());
        figures.put("occurrences", occurrences);
        figures.put("kills", killed.size());
        figures.put("runs", runs.size());
        figures.put("killed runs", runs.stream().filter(Run::cut).count());
        figures.put(
                "most runs of a job",
                runsOfJob.values().stream().mapToInt(List::size).max().orElse(0));
        figures.put("longest takeover", longestTakeover());
        return figures;
    }

    /** The longest time from a kill to the next run of a job. */
    private Duration longestTakeover() {
        long longest = 0;
        for (List<Run> all : runsOfJob.values()) {
            for (int i = 1; i < all.size(); i++) {
                if (all.get(i - 1).cut()) {
                    longest = Math.max(
                            longest, all.get(i).start() - all.get(i - 1).end());
                }
            }
        }
        return Duration.ofMillis(TimeUnit.MICROSECONDS.toMillis(longest));
    }
}

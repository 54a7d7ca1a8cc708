package dev.jono.e2e.jobs;

import dev.jono.e2e.jobs.Journal.Run;
import dev.jono.e2e.jobs.LoadTypes.Task;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks the batches at the end of a {@link JobLoad}. */
record BatchCheck(
        Jobs jobs,
        LoadProducer producer,
        Map<String, JobView> found,
        Map<String, Task> expected,
        List<Run> runs,
        List<String> violations) {
    void run() {
        Map<String, List<String>> callbacks = found.values().stream()
                .filter(job -> job.type().equals(LoadTypes.CALLBACK.name()))
                .collect(Collectors.groupingBy(
                        job -> job.tags().toString(),
                        Collectors.mapping(job -> job.payload().text(), Collectors.toList())));
        producer.batches()
                .forEach((name, succeeds) -> check(
                        jobs.findBatch(name).orElseThrow(),
                        succeeds,
                        callbacks.getOrDefault("[batch:" + name + "]", List.of())));
        checkOrder();
        int complete = callbacks.values().stream().mapToInt(List::size).sum();
        long known = producer.batches().keySet().stream()
                .filter(name -> callbacks.containsKey("[batch:" + name + "]"))
                .count();
        if (known != callbacks.size()) {
            violations.add("callbacks of unknown batches: " + callbacks.keySet() + ", " + complete);
        }
    }

    /** No callback starts before the last job of its batch has ended. */
    private void checkOrder() {
        Map<String, Long> ends = runs.stream()
                .filter(run -> run.type().equals(LoadTypes.PART.name()))
                .collect(Collectors.toMap(Run::group, Run::end, Math::max));
        runs.stream()
                .filter(run -> run.type().equals(LoadTypes.CALLBACK.name()))
                .filter(run -> run.start() < ends.getOrDefault(run.group(), 0L))
                .forEach(run -> violations.add("callback before the end of its batch: " + run));
    }

    private void check(BatchView batch, boolean succeeds, List<String> callbacks) {
        String all = batch + ", its callbacks " + callbacks;
        long members = found.values().stream()
                .filter(job -> job.batch().filter(batch.name()::equals).isPresent())
                .count();
        long enqueued = expected.values().stream()
                .filter(task -> task.group().equals(batch.name()))
                .count();
        if (members != enqueued) {
            violations.add(members + " jobs instead of " + enqueued + " in " + all);
        }
        List<Integer> numbers = callbacks.stream()
                .map(text -> text.contains("\"number\":0") ? 0 : text.contains("\"number\":1") ? 1 : 2)
                .sorted()
                .toList();
        List<Integer> due = List.of(0, succeeds ? 1 : 2);
        if (!batch.state().isComplete()) {
            // A process has died before it has counted an end, perhaps after it has enqueued callbacks. The audit of
            // the
            // batch comes later.
            if (batch.state() != BatchView.State.CLOSED
                    || batch.ended() >= batch.added()
                    || numbers.size() > due.size()
                    || !due.subList(0, numbers.size()).equals(numbers)) {
                violations.add("not complete: " + all);
            }
            return;
        }
        if (batch.state() != (succeeds ? BatchView.State.SUCCEEDED : BatchView.State.FAILED)) {
            violations.add("wrong state: " + all);
        }
        if (!numbers.equals(due)) {
            violations.add("wrong callbacks: " + all);
        }
        // What a death keeps from being counted makes the number of ends too small, or that of jobs too large.
        if (batch.added() < enqueued || batch.succeeded() > members || batch.failed() > (succeeds ? 0 : 1)) {
            violations.add("wrong numbers: " + all);
        }
    }
}

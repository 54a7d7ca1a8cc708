package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Changes of priorities. */
abstract class JobPriorityRules extends JobCase {
    JobPriorityRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private boolean change(JobHandle<?> job, JobPriority priority) {
        return jobs(client()).changePriority(job.id(), priority);
    }

    private void startRunner() {
        start(jobs().runner().handle(SHOUT, (text, run) -> text));
    }

    @Test
    void waitingJobComesBeforeOthersAfterTheChange() {
        jobs().enqueueAll(SHOUT, List.of("a", "b"), o -> o);
        JobHandle<String> last = jobs().enqueue(SHOUT, "c", o -> o.tag("eu"));
        JobView before = view(last);
        assertThat(change(last, JobPriority.HIGH)).isTrue();
        JobView after = view(last);
        assertThat(after.priority()).isEqualTo(JobPriority.HIGH);
        assertThat(after.state()).isEqualTo(JobState.WAITING);
        assertThat(after.dueAt()).isEqualTo(before.dueAt());
        assertThat(after.enqueuedAt()).isEqualTo(before.enqueuedAt());
        assertThat(after.tags()).containsExactly("eu");
        Queue<String> begun = new ConcurrentLinkedQueue<>();
        start(jobs().runner().strictPriorities().handle(SHOUT, (text, run) -> {
            begun.add(text);
            return text;
        }));
        passUntil("all jobs", () -> begun.size() == 3);
        assertThat(begun).containsExactly("c", "a", "b");
    }

    @Test
    void changeToThePriorityThatAJobHasIsDone() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.delay(Duration.ofHours(1)));
        assertThat(change(job, JobPriority.NORMAL)).isTrue();
        assertThat(state(job)).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void scheduledJobKeepsItsTime() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.delay(seconds(10)));
        JobView before = view(job);
        assertThat(change(job, JobPriority.CRITICAL)).isTrue();
        assertThat(view(job).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(view(job).dueAt()).isEqualTo(before.dueAt());
        startRunner();
        assertThat(result(job)).isEqualTo("hello");
        assertThat(view(job).endedAt().orElseThrow())
                .isAfterOrEqualTo(before.dueAt().orElseThrow());
        assertThat(view(job).priority()).isEqualTo(JobPriority.CRITICAL);
    }

    @Test
    void retryingJobKeepsItsAttemptsAndItsTime() {
        JobType<String, String> type = SHOUT.maxAttempts(2).backoff(Backoff.fixed(seconds(20)));
        start(jobs().runner().handle(type, (text, run) -> {
            if (run.attempt() == 1) {
                throw new IllegalStateException("broken");
            }
            return "attempt " + run.attempt();
        }));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        awaitReal("the failure", () -> state(job) == JobState.RETRYING);
        JobView before = view(job);
        assertThat(change(job, JobPriority.LOW)).isTrue();
        JobView after = view(job);
        assertThat(after.state()).isEqualTo(JobState.RETRYING);
        assertThat(after.priority()).isEqualTo(JobPriority.LOW);
        assertThat(after.attempt()).isEqualTo(before.attempt()).isEqualTo(1);
        assertThat(after.dueAt()).isEqualTo(before.dueAt());
        assertThat(after.reason().orElseThrow()).contains("broken");
        assertThat(result(job)).isEqualTo("attempt 2");
        assertThat(view(job).attempts()).extracting(JobAttempt::number).containsExactly(1, 2);
        assertThat(view(job).priority()).as("in the record").isEqualTo(JobPriority.LOW);
    }

    @Test
    void runningEndedAndUnknownJobsAreNotChanged() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            begun.countDown();
            mayEnd.await();
            if (text.equals("fail")) {
                throw run.fail("as asked");
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        begun.await();
        assertThat(change(job, JobPriority.HIGH)).isFalse();
        assertThat(change(job, JobPriority.NORMAL)).isFalse();
        mayEnd.countDown();
        result(job);
        assertThat(change(job, JobPriority.HIGH)).isFalse();
        assertThat(view(job).priority()).isEqualTo(JobPriority.NORMAL);
        JobHandle<String> failed = jobs().enqueue(SHOUT, "fail");
        passUntil(failed, JobState.FAILED);
        assertThat(change(failed, JobPriority.HIGH)).isFalse();
        assertThat(jobs().changePriority("shout:unknown", JobPriority.HIGH)).isFalse();
    }

    @Test
    void jobWithAnOrderingKeyIsRefused() {
        requires(Capability.KEYED);
        JobHandle<String> job = jobs().enqueue(SHOUT.key(text -> "A-17"), "hello");
        assertThatThrownBy(() -> change(job, JobPriority.HIGH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(job.id())
                .hasMessageContaining("ordering key 'A-17'");
        JobHandle<String> other = jobs().enqueue(SHOUT, "hello");
        assertThat(jobs().changePriorityAll(JobQuery.ofType(SHOUT), JobPriority.HIGH, 100))
                .isEqualTo(1);
        assertThat(view(other).priority()).isEqualTo(JobPriority.HIGH);
        assertThat(view(job).key()).contains("A-17");
    }

    @Test
    void uniqueJobKeepsItsKey() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.unique("a.png"));
        assertThat(change(job, JobPriority.HIGH)).isTrue();
        JobHandle<String> second = jobs().enqueue(SHOUT, "hello", o -> o.unique("a.png"));
        assertThat(second.duplicate()).isTrue();
        assertThat(second.id()).isEqualTo(job.id());
        startRunner();
        result(job);
        assertThat(jobs().enqueue(SHOUT, "hello", o -> o.unique("a.png")).duplicate())
                .isFalse();
    }

    @Test
    void failedJobIsRetriedWithTheChangedPriority() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            if (run.attempt() == 1) {
                throw new IllegalStateException("broken"); // leaves a record with the first priority
            }
            throw run.fail("as asked");
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        awaitReal("the failure", () -> state(job) == JobState.RETRYING);
        assertThat(change(job, JobPriority.HIGH)).isTrue();
        passUntil(job, JobState.FAILED);
        assertThat(view(job).priority()).isEqualTo(JobPriority.HIGH);
        passUntil("the dead letter", () -> deadLetters().totalSize() == 1);
        jobs().pause("shout");
        assertThat(jobs().retry(job.id())).isTrue();
        assertThat(view(job).priority()).isEqualTo(JobPriority.HIGH);
        assertThat(jobs().cancel(job.id(), "not needed")).isTrue();
    }

    @Test
    void cancelledJobHasItsLastPriority() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        change(job, JobPriority.HIGH);
        change(job, JobPriority.LOW);
        assertThat(jobs().cancel(job.id(), "not needed")).isTrue();
        assertThat(view(job).priority()).isEqualTo(JobPriority.LOW);
        assertThat(change(job, JobPriority.HIGH)).isFalse();
    }

    @Test
    void manyJobsAreChangedWithABound() {
        List<JobHandle<String>> normal = jobs().enqueueAll(SHOUT, WorkerCase.numbered(5), o -> o.tag("import"));
        jobs().enqueue(SHOUT, "high", o -> o.priority(JobPriority.HIGH).tag("import"));
        JobHandle<String> other = jobs().enqueue(SHOUT, "other");
        JobQuery imports = JobQuery.ofType(SHOUT).tag("import").limit(2);
        assertThat(jobs().changePriorityAll(imports, JobPriority.HIGH, 3)).isEqualTo(3);
        assertThat(jobs().changePriorityAll(imports, JobPriority.HIGH, 100)).isEqualTo(2);
        assertThat(normal).allSatisfy(job -> assertThat(view(job).priority()).isEqualTo(JobPriority.HIGH));
        // Moved into a queue that the list comes to later: each is counted once.
        assertThat(jobs().changePriorityAll(imports, JobPriority.LOW, 100)).isEqualTo(6);
        assertThat(jobs().changePriorityAll(imports, JobPriority.LOW, 100)).isZero();
        assertThat(view(other).priority()).isEqualTo(JobPriority.NORMAL);
        startRunner();
        normal.forEach(this::result);
        result(other);
        assertThat(jobs().changePriorityAll(JobQuery.all().state(JobState.SUCCEEDED), JobPriority.HIGH, 100))
                .isZero();
    }

    @Test
    void jobsWhosePrioritiesChangeWhileRunnersClaimThemRunOnce() {
        int count = 200;
        List<JobHandle<String>> all = jobs().enqueueAll(SHOUT, WorkerCase.numbered(count), o -> o);
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        for (int c = 0; c < 2; c++) {
            start(jobs(client()).runner().concurrency(2).handle(SHOUT, (text, run) -> {
                ran.add(text);
                return text;
            }));
        }
        List<CompletableFuture<Integer>> changes = new ArrayList<>();
        for (int c = 0; c < 2; c++) {
            Jobs changer = jobs(client());
            int first = c;
            changes.add(inBackground(() -> changeInTurns(changer, all, first)));
        }
        changes.forEach(each -> passUntilDone("the changes", each));
        all.forEach(this::result);
        assertThat(ran).hasSize(count).doesNotHaveDuplicates();
        assertThat(all).allSatisfy(job -> assertThat(state(job)).isEqualTo(JobState.SUCCEEDED));
        Map<JobState, Long> succeeded = Map.of(JobState.SUCCEEDED, (long) count);
        passUntil("the last ack", () -> jobs().counts().equals(Map.of("shout", succeeded)));
    }

    @Test
    void jobsWhosePrioritiesChangeAreCancelledAndRemoved() {
        List<JobHandle<String>> all = jobs().enqueueAll(SHOUT, WorkerCase.numbered(60), o -> o);
        Jobs changer = jobs(client());
        CompletableFuture<Integer> changes = inBackground(() -> changeInTurns(changer, all, 0));
        for (int i = all.size() - 1; i >= 0; i--) {
            String id = all.get(i).id();
            assertThat(i % 2 == 0 ? jobs().cancel(id, "not needed") : jobs().remove(id))
                    .isTrue();
        }
        passUntilDone("the changes", changes);
        assertThat(jobs().counts()).isEqualTo(Map.of("shout", Map.of(JobState.CANCELLED, 30L)));
    }

    /** From the last job on, because the runners begin with the first. */
    private static int changeInTurns(Jobs jobs, List<JobHandle<String>> all, int first) {
        JobPriority[] priorities = JobPriority.values();
        int changed = 0;
        for (int i = all.size() - 1; i >= 0; i--) {
            JobPriority priority = priorities[(i + first) % priorities.length];
            changed += jobs.changePriority(all.get(i).id(), priority) ? 1 : 0;
        }
        return changed;
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.RemoveOutcome;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Unique keys of jobs. */
abstract class JobUniqueRules extends JobCase {
    /** The key of a job is its text. */
    private static final JobType<String, String> ONCE = SHOUT.unique(text -> text, UniqueMode.UNTIL_DONE);

    JobUniqueRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsUniqueKeys() {
        requires(Capability.DEDUPLICATE);
    }

    private JobHandle<String> enqueue(String key, UniqueMode mode) {
        return jobs(client()).enqueue(SHOUT, "hello", o -> o.unique(key, mode));
    }

    private void assertDuplicate(JobHandle<?> job, JobHandle<?> first) {
        assertThat(job.duplicate()).isTrue();
        assertThat(job.id()).isEqualTo(first.id());
    }

    private void assertNew(JobHandle<?> job, JobHandle<?> before) {
        assertThat(job.duplicate()).isFalse();
        assertThat(job.id()).isNotEqualTo(before.id());
    }

    @Test
    void untilDoneIsTheKeyTakenWhileTheJobWaitsAndRuns() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobHandle<String> first = enqueue("a", UniqueMode.UNTIL_DONE);
        assertThat(first.duplicate()).isFalse();
        assertDuplicate(enqueue("a", UniqueMode.UNTIL_DONE), first);
        assertNew(enqueue("b", UniqueMode.UNTIL_DONE), first);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            if (run.id().equals(first.id())) {
                begun.countDown();
                mayEnd.await();
            }
            return text;
        }));
        awaitReal("the run", () -> begun.getCount() == 0);
        assertDuplicate(enqueue("a", UniqueMode.UNTIL_DONE), first);
        mayEnd.countDown();
        result(first);
        assertNew(enqueue("a", UniqueMode.UNTIL_DONE), first);
    }

    @Test
    void untilStartedIsTheKeyTakenWhileTheJobWaits() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobHandle<String> first = enqueue("a", UniqueMode.UNTIL_STARTED);
        assertDuplicate(enqueue("a", UniqueMode.UNTIL_STARTED), first);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            begun.countDown();
            mayEnd.await();
            return text;
        }));
        awaitReal("the run", () -> begun.getCount() == 0);
        JobHandle<String> second = enqueue("a", UniqueMode.UNTIL_STARTED);
        assertNew(second, first);
        assertDuplicate(enqueue("a", UniqueMode.UNTIL_STARTED), second);
        mayEnd.countDown();
        result(first);
        result(second);
    }

    @Test
    void withinAWindowIsTheKeyTakenWhateverBecomesOfTheJob() {
        UniqueMode window = UniqueMode.within(seconds(40));
        JobHandle<String> first = enqueue("a", window);
        assertDuplicate(enqueue("a", window), first);
        assertThat(first.cancel("not needed")).isTrue();
        assertDuplicate(enqueue("a", window), first);
        pass(seconds(41));
        assertNew(enqueue("a", window), first);
    }

    @Test
    void jobsOfAllPrioritiesShareTheKeys() {
        JobHandle<String> first = jobs().enqueue(ONCE, "a", o -> o.priority(JobPriority.LOW));
        assertDuplicate(jobs().enqueue(ONCE, "a", o -> o.priority(JobPriority.HIGH)), first);
        assertNew(jobs().enqueue(ONCE, "a", o -> o.unique("another key")), first);
        assertNew(jobs().enqueue(SHOUT, "a"), first);
    }

    @Test
    void listHoldsEachKeyOnce() {
        List<JobHandle<String>> jobs = jobs().enqueueAll(ONCE, List.of("a", "b", "a"), o -> o);
        assertThat(jobs).extracting(JobHandle::duplicate).containsExactly(false, false, true);
        assertDuplicate(jobs.get(2), jobs.get(0));
        assertThat(waiting().totalSize()).isEqualTo(2);
    }

    @Test
    void eachEndOfAJobFreesItsKey() {
        JobHandle<String> cancelled = jobs().enqueue(ONCE, "a");
        assertThat(cancelled.cancel("not needed")).isTrue();
        JobHandle<String> removed = jobs().enqueue(ONCE, "a");
        assertNew(removed, cancelled);
        assertThat(jobs().remove(removed.id())).isTrue();
        JobHandle<String> failed = jobs().enqueue(ONCE, "a");
        assertNew(failed, removed);
        start(jobs().runner().handle(ONCE, (text, run) -> {
            throw run.fail("as asked");
        }));
        passUntil(failed, JobState.FAILED);
        assertNew(jobs().enqueue(ONCE, "a"), failed);
    }

    /** As after a crash between the end of a job and the end of its key. */
    @Test
    void keyOfAJobThatIsGoneIsFree() {
        JobHandle<String> gone = jobs().enqueue(ONCE, "a");
        String message = gone.id().substring(gone.id().indexOf(':') + 1);
        assertThat(waiting().remove(message)).isEqualTo(RemoveOutcome.REMOVED);
        JobHandle<String> next = jobs().enqueue(ONCE, "a");
        assertNew(next, gone);
        assertDuplicate(jobs().enqueue(ONCE, "a"), next);
    }

    /** A conflict neither stops the retries of a job nor frees its key. */
    @Test
    void retryingJobKeepsItsKey() {
        AtomicInteger runs = new AtomicInteger();
        JobHandle<String> first = jobs().enqueue(ONCE, "a");
        start(jobs().runner().handle(ONCE, (text, run) -> {
            if (runs.incrementAndGet() < 3) {
                throw new IllegalStateException("a test's");
            }
            return text;
        }));
        awaitReal("the first run", () -> runs.get() >= 1);
        assertDuplicate(jobs().enqueue(ONCE, "a"), first);
        assertThat(result(first)).isEqualTo("a");
        assertThat(runs).hasValue(3);
    }

    @Test
    void ofCompetingJobsWithAKeyOneIsEnqueued() {
        List<CompletableFuture<JobHandle<String>>> started = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Jobs client = jobs(client());
            for (int i = 0; i < 10; i++) {
                started.add(client.enqueueAsync(ONCE, "a", o -> o));
            }
        }
        Set<String> ids = new HashSet<>();
        long fresh = 0;
        for (CompletableFuture<JobHandle<String>> each : started) {
            JobHandle<String> job = passUntilDone("an enqueue", Duration.ofMinutes(1), each);
            ids.add(job.id());
            fresh += job.duplicate() ? 0 : 1;
        }
        assertThat(ids).hasSize(1);
        assertThat(fresh).isOne();
        assertThat(waiting().totalSize()).isOne();
    }
}

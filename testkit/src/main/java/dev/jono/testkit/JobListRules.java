package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists, counts, and changes of many jobs. */
abstract class JobListRules extends JobCase {
    private static final JobType<String, String> WHISPER =
            JobType.of("whisper", String.class).returning(String.class).maxAttempts(1);

    JobListRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Runs jobs of both types; those with the text "fail" fail for good. */
    private void startRunner() {
        start(jobs().runner()
                .handle(SHOUT, (text, run) -> {
                    if (text.equals("fail")) {
                        throw run.fail("as asked");
                    }
                    return text;
                })
                .handle(WHISPER, (text, run) -> text));
    }

    private static List<String> ids(List<JobHandle<String>> jobs) {
        return jobs.stream().map(JobHandle::id).toList();
    }

    private List<String> found(JobQuery query) {
        return jobs().find(query).jobs().stream().map(JobView::id).toList();
    }

    /** The ids of all pages. */
    private List<String> pages(JobQuery query) {
        List<String> ids = new ArrayList<>();
        Optional<JobQuery> next = Optional.of(query);
        while (next.isPresent()) {
            JobQuery asked = next.get();
            JobPage page = jobs().find(asked);
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(asked.limit());
            page.jobs().forEach(job -> ids.add(job.id()));
            next = page.next().map(asked::after);
        }
        return ids;
    }

    private JobHandle<String> enqueue(String text) {
        return jobs().enqueue(SHOUT, text);
    }

    @Test
    void jobsAreFoundByTypeStateAndTag() {
        JobHandle<String> low =
                jobs().enqueue(SHOUT, "a", o -> o.priority(JobPriority.LOW).tag("eu"));
        JobHandle<String> high = jobs().enqueue(SHOUT, "b", o -> o.priority(JobPriority.HIGH));
        JobHandle<String> later =
                jobs().enqueue(SHOUT, "c", o -> o.delay(Duration.ofHours(1)).tag("eu"));
        JobHandle<String> other = jobs().enqueue(WHISPER, "d");
        assertThat(found(JobQuery.ofType(SHOUT))).containsExactly(high.id(), later.id(), low.id());
        assertThat(found(JobQuery.ofType(SHOUT).state(JobState.WAITING))).containsExactly(high.id(), low.id());
        assertThat(found(JobQuery.ofType(SHOUT).state(JobState.SCHEDULED))).containsExactly(later.id());
        assertThat(found(JobQuery.ofType(SHOUT).tag("eu"))).containsExactly(later.id(), low.id());
        assertThat(found(JobQuery.all())).containsExactly(high.id(), later.id(), low.id(), other.id());
        assertThat(found(JobQuery.ofType("unknown"))).isEmpty();
    }

    @Test
    void endedJobsAreFoundTheLastFirst() {
        startRunner();
        List<String> succeeded = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.tag("eu"));
            result(job);
            succeeded.add(0, job.id());
            JobHandle<String> failing = enqueue("fail");
            passUntil(failing, JobState.FAILED);
            failed.add(0, failing.id());
            pass(seconds(0.1)); // so that they do not end at the same time
        }
        assertThat(found(JobQuery.ofType(SHOUT).state(JobState.SUCCEEDED))).isEqualTo(succeeded);
        assertThat(found(JobQuery.ofType(SHOUT).state(JobState.SUCCEEDED).tag("eu")))
                .isEqualTo(succeeded);
        assertThat(found(JobQuery.ofType(SHOUT).state(JobState.FAILED))).isEqualTo(failed);
        JobView view = jobs().find(JobQuery.ofType(SHOUT).state(JobState.FAILED))
                .jobs()
                .get(0);
        assertThat(view.reason()).contains("as asked");
    }

    @Test
    void pagesHoldEachJobOnce() {
        startRunner();
        jobs().pause("whisper");
        List<String> all = new ArrayList<>();
        all.addAll(ids(jobs().enqueueAll(WHISPER, numbered(130), o -> o)));
        List<JobHandle<String>> ended = jobs().enqueueAll(SHOUT, numbered(20), o -> o);
        ended.forEach(this::result);
        all.addAll(ids(ended));
        assertThat(pages(JobQuery.all().limit(7))).containsExactlyInAnyOrderElementsOf(all);
        assertThat(pages(JobQuery.ofType(WHISPER).limit(100))).hasSize(130);
        assertThat(pages(JobQuery.all().state(JobState.FAILED))).isEmpty();
    }

    private static List<String> numbered(int number) {
        return IntStream.range(0, number).mapToObj(String::valueOf).toList();
    }

    @Test
    void textThatIsNoCursorIsRefused() {
        assertThatThrownBy(() -> jobs().find(JobQuery.all().after("nonsense")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nonsense");
    }

    @Test
    void countsAreThoseOfTheJobs() {
        assertThat(jobs().counts()).isEmpty();
        startRunner();
        result(enqueue("hello"));
        passUntil(enqueue("fail"), JobState.FAILED);
        jobs().enqueue(SHOUT, "later", o -> o.delay(Duration.ofHours(5)));
        JobHandle<String> cancelled = jobs().enqueue(SHOUT, "never", o -> o.delay(Duration.ofHours(5)));
        cancelled.cancel("not needed");
        jobs().pause("whisper");
        jobs().enqueueAll(WHISPER, List.of("a", "b"), o -> o);
        Map<JobState, Long> shout =
                Map.of(JobState.SUCCEEDED, 1L, JobState.FAILED, 1L, JobState.SCHEDULED, 1L, JobState.CANCELLED, 1L);
        Map<JobState, Long> whisper = Map.of(JobState.WAITING, 2L);
        // The record of a job fails a moment before its message leaves the queue.
        awaitReal("the counts", () -> jobs().counts().equals(Map.of("shout", shout, "whisper", whisper)));
        assertThat(jobs().counts("shout")).isEqualTo(shout);
        assertThat(jobs().counts("whisper")).isEqualTo(whisper);
        assertThat(jobs().counts("unknown")).isEmpty();
        assertThat(jobs(client()).types()).containsExactly("shout", "whisper");
    }

    @Test
    void pausedTypeStartsNoJobs() {
        startRunner();
        jobs(client()).pause("shout");
        assertThat(jobs().isPaused("shout")).isTrue();
        JobHandle<String> blocked = enqueue("hello");
        result(jobs().enqueue(WHISPER, "other types go on"));
        assertThat(state(blocked)).isEqualTo(JobState.BLOCKED);
        assertThat(found(JobQuery.ofType(SHOUT).state(JobState.BLOCKED))).containsExactly(blocked.id());
        jobs(client()).resume("shout");
        result(blocked);
        assertThat(jobs().isPaused("shout")).isFalse();
    }

    @Test
    void scheduledJobRunsNow() {
        startRunner();
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.delay(Duration.ofDays(300)));
        assertThat(jobs().runNow(job.id())).isTrue();
        result(job);
        assertThat(jobs().runNow(job.id())).isFalse();
        assertThat(jobs().runNow("shout:unknown")).isFalse();
    }

    @Test
    void endedJobIsRunAgainAsANewOne() {
        JobHandle<String> job =
                jobs().enqueue(SHOUT, "hello", o -> o.priority(JobPriority.HIGH).tag("eu"));
        assertThat(jobs().rerun(job.id())).isEmpty();
        startRunner();
        result(job);
        String again = jobs().rerun(job.id()).orElseThrow();
        assertThat(again).isNotEqualTo(job.id());
        passUntil(
                "the second job",
                Duration.ofMinutes(10),
                () -> jobs().get(again)
                        .filter(view -> view.state() == JobState.SUCCEEDED)
                        .isPresent());
        JobView view = jobs().get(again).orElseThrow();
        assertThat(view.result()).contains("\"hello\"");
        assertThat(view.priority()).isEqualTo(JobPriority.HIGH);
        assertThat(view.tags()).containsExactly("eu");
    }

    @Test
    void manyJobsAreChangedWithABound() throws Exception {
        CountDownLatch fixed = new CountDownLatch(1);
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            if (fixed.getCount() > 0) {
                throw run.fail("not yet");
            }
            return text;
        }));
        List<JobHandle<String>> failed = jobs().enqueueAll(SHOUT, numbered(5), o -> o);
        failed.forEach(job -> passUntil(job, JobState.FAILED));
        fixed.countDown();
        assertThat(jobs().retryAll(JobQuery.ofType(SHOUT).limit(2), 3)).isEqualTo(3);
        passUntil(
                "the retried jobs",
                Duration.ofMinutes(10),
                () -> found(JobQuery.ofType(SHOUT).state(JobState.SUCCEEDED)).size() == 3);
        assertThat(jobs().retryAll(JobQuery.ofType(SHOUT), 100)).isEqualTo(2);
        failed.forEach(this::result);
        jobs().enqueueAll(SHOUT, numbered(4), o -> o.delay(Duration.ofDays(1)).tag("late"));
        assertThat(jobs().cancelAll(JobQuery.all().tag("late").limit(3), "not needed", 100))
                .isEqualTo(4);
        assertThat(jobs().cancelAll(JobQuery.all(), "not needed", 100)).isZero();
        assertThat(jobs().removeAll(JobQuery.all().state(JobState.CANCELLED), 100))
                .isEqualTo(4);
        assertThat(jobs().removeAll(JobQuery.all().limit(2), 100)).isEqualTo(5);
        assertThat(jobs().counts()).isEmpty();
    }

    @Test
    void manyJobsRunNowAndAgainWithABound() throws Exception {
        List<JobHandle<String>> late = jobs().enqueueAllAsync(SHOUT, numbered(4), o -> o.delay(Duration.ofDays(1)))
                .join();
        assertThat(late).hasSize(4);
        JobQuery all = JobQuery.ofType(SHOUT);
        assertThat(jobs().runNowAll(all.limit(2), 3)).isEqualTo(3);
        assertThat(jobs().runNowAll(all, 100)).isEqualTo(1);
        assertThat(jobs().runNowAll(all, 100)).isZero();
        start(jobs().runner().handle(SHOUT, (text, run) -> text));
        for (JobHandle<String> job : late) {
            result(job);
        }
        JobQuery succeeded = all.state(JobState.SUCCEEDED);
        assertThat(jobs().rerunAll(succeeded.limit(2), 3)).isEqualTo(3);
        passUntil("the copies", () -> found(succeeded).size() == 7);
        assertThat(jobs().rerunAll(all.state(JobState.CANCELLED), 100)).isZero();
    }
}

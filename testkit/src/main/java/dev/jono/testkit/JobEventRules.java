package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEvent.Kind;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.UniqueMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The kinds of events, for listeners in the same process and in another one. */
abstract class JobEventRules extends JobEventCase {
    private static final JobType<String, String> TWICE = SHOUT.maxAttempts(2).backoff(attempt -> Duration.ZERO);

    JobEventRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void jobThatSucceeds() {
        listen();
        Instant begin = Instant.ofEpochMilli(storage().clientClock().wallMillis());
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        run(SHOUT, (text, run) -> {
            run.progress(1, 2);
            run.progress(2, 2, Map.of("file", text));
            return text;
        });
        List<JobEvent> events = awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.PROGRESS, Kind.SUCCEEDED);
        assertThat(events).extracting(JobEvent::attempt).containsExactly(0, 1, 1, 1);
        assertThat(events)
                .extracting(JobEvent::progress)
                .element(2)
                .isEqualTo(new JobProgress(2, 2, "{\"file\":\"hello\"}"));
        assertThat(events).filteredOn(event -> event.progress() != null).hasSize(1);
        assertThat(events).allSatisfy(event -> {
            assertThat(event.reason()).isNull();
            assertThat(event.time()).isBetween(begin, begin.plus(Duration.ofMinutes(10)));
        });
    }

    @Test
    void progressIsHeardWhileTheJobRuns() {
        listen();
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        run(SHOUT, (text, run) -> {
            run.progress(1, 4);
            mayEnd.await();
            run.log("no progress");
            return text;
        });
        awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.PROGRESS);
        mayEnd.countDown();
        awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.PROGRESS, Kind.SUCCEEDED);
    }

    @Test
    void jobThatFailsAndIsRetried() {
        listen();
        JobHandle<String> job = jobs().enqueue(TWICE, "hello");
        CountDownLatch repaired = new CountDownLatch(1);
        run(TWICE, (text, run) -> {
            if (repaired.getCount() > 0) {
                throw new IllegalStateException("attempt " + run.attempt());
            }
            return text;
        });
        List<JobEvent> events = awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.RETRYING, Kind.STARTED, Kind.FAILED);
        assertThat(events).extracting(JobEvent::attempt).containsExactly(0, 1, 1, 2, 2);
        assertThat(events.get(2).reason()).contains("IllegalStateException", "attempt 1");
        assertThat(events.get(4).reason()).contains("attempt 2");
        repaired.countDown();
        jobs().pause("shout"); // a job that starts at once can start before its enqueue is heard
        assertThat(jobs().retry(job.id()))
                .as("retry by who has heard of the failure")
                .isTrue();
        awaitReal("the event", () -> here.size() == 6);
        jobs().resume("shout");
        awaitBoth(
                job,
                Kind.ENQUEUED,
                Kind.STARTED,
                Kind.RETRYING,
                Kind.STARTED,
                Kind.FAILED,
                Kind.ENQUEUED,
                Kind.STARTED,
                Kind.SUCCEEDED);
    }

    @Test
    void jobThatIsCancelledOrRemoved() {
        listen();
        JobHandle<String> waits = jobs().enqueue(SHOUT, "waits");
        assertThat(waits.cancel("not needed")).isTrue();
        assertThat(waits.cancel("again")).isFalse();
        List<JobEvent> events = awaitBoth(waits, Kind.ENQUEUED, Kind.CANCELLED);
        assertThat(events.get(1).reason()).isEqualTo("not needed");
        assertThat(jobs().remove(waits.id())).isTrue();
        assertThat(jobs().remove(waits.id())).isFalse();
        awaitBoth(waits, Kind.ENQUEUED, Kind.CANCELLED, Kind.REMOVED);
    }

    @Test
    void runningJobIsCancelledByTheOtherProcess() {
        listen();
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        run(SHOUT, (text, run) -> {
            new CountDownLatch(1).await();
            return text;
        });
        awaitBoth(job, Kind.ENQUEUED, Kind.STARTED);
        assertThat(jobs(client()).cancel(job.id(), "not needed")).isTrue();
        List<JobEvent> events = awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.CANCELLED);
        assertThat(events.get(2).attempt()).isEqualTo(1);
        workUntil("the interrupt", () -> waiting().totalSize() == 0);
    }

    @Test
    void jobThatExpires() {
        listen();
        JobType<String, String> type = SHOUT.expiresAfter(seconds(2));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        pass(seconds(4));
        run(type, (text, run) -> text);
        List<JobEvent> events = awaitBoth(job, Kind.ENQUEUED, Kind.EXPIRED);
        assertThat(events.get(1).reason()).contains("not started within");
        assertThat(events.get(1).attempt()).isZero();
    }

    @Test
    void duplicate() {
        requires(Capability.DEDUPLICATE);
        listen();
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello", o -> o.unique("a", UniqueMode.UNTIL_DONE));
        jobs().enqueue(SHOUT, "hello", o -> o.unique("a", UniqueMode.UNTIL_DONE));
        awaitBoth(job, Kind.ENQUEUED, Kind.DEDUPLICATED);
    }

    @Test
    void runThatIsSnoozedOrInterrupted() {
        listen();
        JobType<String, String> type = SHOUT.maxAttempts(1);
        JobHandle<String> job = jobs().enqueue(type, "hello");
        List<String> runs = new CopyOnWriteArrayList<>();
        JobRunner first = jobs().runner()
                .handle(type, (text, run) -> {
                    runs.add(text);
                    if (runs.size() == 1) {
                        throw run.snooze(Duration.ZERO);
                    }
                    new CountDownLatch(1).await();
                    return text;
                })
                .start();
        awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.SNOOZED, Kind.STARTED);
        first.stop(Duration.ZERO);
        awaitBoth(job, Kind.ENQUEUED, Kind.STARTED, Kind.SNOOZED, Kind.STARTED, Kind.INTERRUPTED);
        run(type, (text, run) -> text);
        List<JobEvent> events = awaitBoth(
                job,
                Kind.ENQUEUED,
                Kind.STARTED,
                Kind.SNOOZED,
                Kind.STARTED,
                Kind.INTERRUPTED,
                Kind.STARTED,
                Kind.SUCCEEDED);
        assertThat(events).extracting(JobEvent::attempt).containsExactly(0, 1, 1, 1, 1, 1, 1);
    }

    @Test
    void jobWithoutARecordSucceedsOnce() {
        listen(JobEventFilter.all().kinds(Kind.SUCCEEDED));
        JobType<String, String> type = SHOUT.keep(Duration.ZERO, Duration.ofDays(1));
        JobHandle<String> job = jobs().enqueue(type, "hello");
        run(type, (text, run) -> text);
        awaitBoth(job, Kind.SUCCEEDED);
    }

    @Test
    void copyOfAnEndedJobIsEnqueued() {
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        job.cancel("not needed");
        jobs().on(here::add);
        String copy = jobs().rerun(job.id()).orElseThrow();
        awaitReal("the event", () -> kinds(here, copy).equals(List.of(Kind.ENQUEUED)));
    }
}

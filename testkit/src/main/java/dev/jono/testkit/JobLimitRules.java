package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Limits of running jobs and of starts, over all processes. */
abstract class JobLimitRules extends JobCase {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    JobLimitRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Runs until {@link #mayEnd}. */
    private String hold(String text) throws InterruptedException {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        try {
            mayEnd.await();
            return text;
        } finally {
            running.decrementAndGet();
        }
    }

    @Test
    void noMoreJobsRunThanTheLimitOverAllProcesses() {
        JobType<String, String> three = SHOUT.limit(3);
        List<JobHandle<String>> jobs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            JobPriority priority = i % 2 == 0 ? JobPriority.HIGH : JobPriority.NORMAL;
            jobs.add(jobs().enqueue(three, "hello", o -> o.priority(priority)));
        }
        AtomicInteger runs = new AtomicInteger();
        JobHandler<String, String> handler = (text, run) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            runs.incrementAndGet();
            awaitReal("three to run together once", () -> most.get() >= 3);
            running.decrementAndGet();
            return text;
        };
        start(jobs().runner().concurrency(8).handle(three, handler));
        start(jobs(client()).runner().concurrency(8).handle(three, handler));
        jobs.forEach(this::result);
        assertThat(most).as("most that ran together").hasValue(3);
        assertThat(runs).hasValue(40);
    }

    @Test
    void jobOverTheLimitWaitsAndStartsWhenAnotherEnds() {
        JobType<String, String> one = SHOUT.limit(1);
        CountDownLatch second = new CountDownLatch(1);
        start(jobs().runner().handle(one, (text, run) -> hold(text)));
        JobHandle<String> first = jobs().enqueue(one, "first");
        passUntil("the first run", () -> running.get() == 1);
        start(jobs(client()).runner().handle(one, (text, run) -> {
            second.countDown();
            return text;
        }));
        JobHandle<String> other = jobs().enqueue(one, "second");
        pass(seconds(2));
        assertThat(state(other)).isEqualTo(JobState.WAITING);
        passUntil("the limit to be seen", () -> jobs().limits("shout").full());
        mayEnd.countDown();
        result(first);
        result(other);
        assertThat(most).hasValue(1);
    }

    @Test
    void jobOverTheRateWaitsForAKnownTime() {
        JobType<String, String> rare = SHOUT.rate(1, Duration.ofDays(300), 1);
        start(jobs().runner().handle(rare, (text, run) -> text));
        assertThat(jobs(client()).limits("shout").nextStart()).isEmpty();
        result(jobs().enqueue(rare, "first"));
        JobHandle<String> second = jobs().enqueue(rare, "second");
        passUntil(
                "the wait to be seen",
                () -> jobs(client()).limits("shout").nextStart().isPresent());
        assertThat(state(second)).isEqualTo(JobState.WAITING);
        assertThat(jobs().limits("other").nextStart()).isEmpty();
    }

    @Test
    void typeAtItsLimitHoldsUpNoOther() {
        JobType<String, String> one = SHOUT.limit(1);
        JobType<String, String> other = JobType.of("other", String.class).returning(String.class);
        start(jobs().runner()
                .concurrency(2)
                .handle(one, (text, run) -> hold(text))
                .handle(other, (text, run) -> text));
        List<JobHandle<String>> limited = jobs().enqueueAll(one, List.of("1", "2", "3"), options -> options);
        passUntil("a run", () -> running.get() == 1);
        for (int i = 0; i < 10; i++) {
            assertThat(result(jobs().enqueue(other, "hello"))).isEqualTo("hello");
        }
        assertThat(state(limited.get(1))).isEqualTo(JobState.WAITING);
        mayEnd.countDown();
        limited.forEach(this::result);
        assertThat(most).hasValue(1);
    }

    @Test
    void limitAppliesToJobsWithKeysToo() {
        JobType<String, String> two = SHOUT.limit(2).key(text -> text);
        List<JobHandle<String>> jobs = jobs().enqueueAll(two, List.of("a", "b", "c", "d"), options -> options);
        start(jobs().runner().concurrency(4).handle(two, (text, run) -> hold(text)));
        passUntil("two runs", () -> running.get() == 2);
        pass(seconds(1));
        mayEnd.countDown();
        jobs.forEach(this::result);
        assertThat(most).hasValue(2);
    }

    @Test
    void processThatDiedHoldsUpTheLimitNoLongerThanItsLease() {
        JobType<String, String> one = SHOUT.limit(1);
        long until = holdElsewhere(Duration.ofSeconds(6));
        JobHandle<String> job = jobs().enqueue(one, "hello");
        start(jobs().runner().handle(one, (text, run) -> text));
        assertThat(result(job)).isEqualTo("hello");
        assertThat(view(job).endedAt().orElseThrow().toEpochMilli())
                .isGreaterThanOrEqualTo(until - seconds(0.5).toMillis());
    }

    /** Another process holds the only permit, and does not extend it. Returns when its lease ends. */
    private long holdElsewhere(Duration lease) {
        try (JobStore store = JobStoreCase.open(client())) {
            long until = StoreCase.got(store.entries("limit", List.of("shout"))).nowMillis() + lease.toMillis();
            String document = "{\"dead\":{\"n\":1,\"until\":" + until + "}}";
            assertThat(StoreCase.got(
                            store.changeEntries(List.of(new EntryChange("limit", "shout", null, "dead-1", document)))))
                    .containsExactly(true);
            return until;
        }
    }

    @Test
    void stoppedRunnerLeavesItsPlaceToOthers() {
        JobType<String, String> one = SHOUT.limit(1);
        QueueFactory other = client();
        JobRunner runner = start(jobs(other).runner().handle(one, (text, run) -> text));
        result(jobs().enqueue(one, "first"));
        runner.close();
        other.close();
        JobHandle<String> second = jobs().enqueue(one, "second");
        start(jobs().runner().handle(one, (text, run) -> text));
        awaitReal("the second job, without a wait for a lease", () -> {
            storage().clock().ifPresent(clock -> clock.advance(Duration.ofMillis(10)));
            return state(second) == JobState.SUCCEEDED;
        });
    }

    @Test
    void noMoreRunsStartThanTheRateAllows() {
        Duration per = seconds(2);
        JobType<String, String> slow = SHOUT.rate(8, per, 2);
        List<Long> starts = Collections.synchronizedList(new ArrayList<>());
        JobHandler<String, String> handler = (text, run) -> {
            starts.add(storage().clientClock().nanos());
            return text;
        };
        List<JobHandle<String>> jobs = jobs().enqueueAll(slow, Collections.nCopies(18, "hello"), options -> options);
        long begin = storage().clientClock().nanos();
        start(jobs().runner().concurrency(8).handle(slow, handler));
        start(jobs(client()).runner().concurrency(8).handle(slow, handler));
        jobs.forEach(this::result);
        assertThat(starts).hasSize(18);
        // 16 tokens come in two periods, after a burst of 2.
        assertThat(Duration.ofNanos(Collections.max(starts) - begin))
                .isGreaterThanOrEqualTo(per.multipliedBy(2).minusMillis(20));
    }
}

package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobType;
import dev.jono.jobs.memory.MemoryJobStoreProvider;
import dev.jono.jobs.spi.JobStore;
import dev.jono.spi.ConnectedFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Limits whose permits are lost on the way to a process or back. */
class JobLimitFaultsTest extends JobCase {
    private static final Predicate<Object> LIMITS = JobFaults.entriesOf("limit");

    private final JobFaults faults = new JobFaults();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    JobLimitFaultsTest() {
        super(() -> MemorySetup.fresh().build());
    }

    private final JobHandler<String, String> handler = (text, run) -> {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        running.decrementAndGet();
        return text;
    };

    private void runJobs(JobType<String, String> type, int number) {
        List<JobHandle<String>> jobs = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            jobs.add(jobs(client()).enqueue(type, "hello"));
        }
        jobs.forEach(this::result);
    }

    @Test
    void permitWhoseReturnIsNotAnsweredIsNotUsedTwice() {
        JobType<String, String> one = SHOUT.limit(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobHandler<String, String> held = (text, run) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            if (text.equals("first")) {
                faults.loseReplies("changeEntries", LIMITS, 1); // the next change gives the permit back
            } else {
                mayEnd.await();
            }
            running.decrementAndGet();
            return text;
        };
        start(faults.jobs(jono()).runner().concurrency(4).handle(one, held));
        result(jobs().enqueue(one, "first"));
        passUntil("the return of the permit", () -> faults.count("changeEntries") == 1);
        start(jobs(client()).runner().concurrency(4).handle(one, held));
        List<JobHandle<String>> jobs = jobs().enqueueAll(one, List.of("held", "held", "held"), options -> options);
        passUntil("a run", () -> running.get() == 1);
        pass(Duration.ofSeconds(3));
        mayEnd.countDown();
        jobs.forEach(this::result);
        assertThat(most).hasValue(1);
    }

    @Test
    void jobsOfOtherTypesRunWhilePermitsCannotBeHad() {
        JobType<String, String> one = SHOUT.limit(1);
        JobType<String, String> other = JobType.of("other", String.class).returning(String.class);
        faults.refuse("entries", kind -> true);
        start(faults.jobs(jono()).runner().concurrency(4).handle(one, handler).handle(other, handler));
        JobHandle<String> limited = jobs().enqueue(one, "hello");
        runJobs(other, 5);
        assertThat(running).hasValue(0);
        faults.accept("entries");
        assertThat(result(limited)).isEqualTo("hello");
    }

    /** Processes that end at the same time change the same entry. The one that is too late does so again. */
    @Test
    void permitIsGivenBackAtTheCloseAlthoughAnotherProcessWasFaster() {
        JobType<String, String> two = SHOUT.limit(2);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch othersMayEnd = new CountDownLatch(1);
        QueueFactory closed = client();
        faults.jobs(closed)
                .runner()
                .lease(Duration.ofDays(1))
                .handle(two, (text, run) -> {
                    running.incrementAndGet();
                    mayEnd.await();
                    return text;
                })
                .start();
        jobs().enqueue(two, "first");
        awaitReal("the first run", () -> running.get() == 1);
        faults.hold("changeEntries", LIMITS);
        mayEnd.countDown();
        CompletableFuture<Boolean> close = inBackground(() -> {
            closed.close();
            return true;
        });
        awaitReal("the return of the permit", () -> faults.count("changeEntries") == 1);
        AtomicInteger others = new AtomicInteger();
        start(jobs(client()).runner().concurrency(2).handle(two, (text, run) -> {
            others.incrementAndGet();
            othersMayEnd.await();
            return text;
        }));
        JobHandle<String> second = jobs().enqueue(two, "second");
        awaitReal("the second run", () -> others.get() == 1);
        faults.release("changeEntries");
        awaitReal("the close", close::isDone); // no time passes, so nothing is repeated later
        assertThat(close).isCompletedWithValue(true);
        String held = limitEntry(two);
        othersMayEnd.countDown();
        assertThat(result(second)).isEqualTo("second");
        assertThat(held).as("the only holder is the other process").containsOnlyOnce("\"n\":1");
    }

    private String limitEntry(JobType<?, ?> type) {
        try (JobStore store = new MemoryJobStoreProvider().open(((ConnectedFactory) jono()).companionConfig())) {
            return got(store.entries("limit", List.of(type.name())))
                    .entries()
                    .get(0)
                    .document();
        }
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Processes that stop, and stores that fail, between the steps of jobs that take the payloads of their duplicates. */
class JobLatestFaultsTest extends JobLatestCase {
    private static final Predicate<Object> PAYLOADS = JobFaults.entriesOf("latest");

    private final JobFaults faults = new JobFaults();

    JobLatestFaultsTest() {
        super(() -> MemorySetup.fresh().build());
    }

    /** The jobs with the faults. */
    private Jobs faulty() {
        return faults.jobs(jono());
    }

    /** Jobs without faults. */
    private Jobs other() {
        return jobs(client());
    }

    private JobRunner run(Jobs jobs) {
        return start(jobs.runner().handle(LATEST, (text, run) -> run.attempt() + shout(text)));
    }

    private JobHandle<String> waitingJob() {
        JobHandle<String> job = other().enqueue(LATEST, "a1");
        assertThat(other().enqueue(LATEST, "a2").duplicate()).isTrue();
        return job;
    }

    private static boolean isOpen(Object changes) {
        return ((List<?>) changes).stream().allMatch(each -> ((RecordChange) each).state() == RecordState.OPEN);
    }

    private static boolean ofPayloads(Object changes) {
        return ((List<?>) changes)
                .stream().allMatch(each -> ((EntryChange) each).kind().equals("latest"));
    }

    /** The key is free by then, so another job waits. Its payload is the newer one, and it starts after the first. */
    @Test
    void jobWaitsUntilItsNewestPayloadCanBeRead() {
        JobHandle<String> first = waitingJob();
        faults.refuse("entries", PAYLOADS);
        run(faulty());
        passUntil("two attempts", () -> faults.count("entries") >= 2);
        JobHandle<String> second = other().enqueue(LATEST, "a3");
        assertThat(second.duplicate()).isFalse();
        assertThat(begun).isEmpty();
        faults.accept("entries");
        assertThat(result(first)).isEqualTo("1a2");
        assertThat(result(second)).isEqualTo("1a3");
        assertThat(begun).containsExactly("a2", "a3");
    }

    @Test
    void jobWaitsUntilItsNewestPayloadCanBeRecorded() {
        JobHandle<String> first = waitingJob();
        faults.refuse("write", JobLatestFaultsTest::isOpen);
        run(faulty());
        passUntil("two attempts", () -> faults.count("write") >= 2);
        assertThat(begun).isEmpty();
        faults.accept("write");
        assertThat(result(first)).isEqualTo("1a2");
    }

    @Test
    void jobWithoutDuplicatesRunsAlthoughNothingCanBeRecorded() {
        faults.refuse("write", JobLatestFaultsTest::isOpen);
        run(faulty());
        assertThat(result(other().enqueue(LATEST, "a1"))).isEqualTo("1a1");
        assertThat(faults.count("write")).isZero();
    }

    /** The runner stops after it has freed the key, and before it has read the payload. */
    @Test
    void runnerThatStopsAtTheReadLeavesThePayloadToTheNextOne() {
        JobHandle<String> first = waitingJob();
        assertStopLosesNothing(first, "entries", PAYLOADS);
    }

    /** The runner stops after it has read the payload, and before its handler begins. */
    @Test
    void runnerThatStopsAtTheRecordLeavesThePayloadToTheNextOne() {
        JobHandle<String> first = waitingJob();
        assertStopLosesNothing(first, "write", changes -> true);
    }

    private void assertStopLosesNothing(JobHandle<String> first, String call, Predicate<Object> which) {
        faults.hold(call, which);
        JobRunner stopped = faulty().runner()
                .handle(LATEST, (text, run) -> run.attempt() + shout(text))
                .start();
        awaitReal("the call", () -> faults.count(call) == 1);
        JobHandle<String> second = other().enqueue(LATEST, "a3");
        assertThat(second.duplicate()).isFalse();
        CompletableFuture<Boolean> stop = inBackground(() -> stopped.stop(Duration.ZERO));
        passUntil("the message to go back", () -> keyed().counts().reserved() == 0);
        run(other());
        assertThat(result(first)).isEqualTo("1a2");
        assertThat(result(second)).isEqualTo("1a3");
        faults.release(call);
        passUntilDone("the stop", stop);
        assertThat(begun).containsExactly("a2", "a3");
        passUntil("no payload to be left", () -> kept().isEmpty());
    }

    /** The job runs and ends between the first push of its duplicate and the write of the payload. */
    @Test
    void payloadThatComesTooLateIsThatOfANewJob() {
        JobHandle<String> first = other().enqueue(LATEST, "a1");
        faults.hold("changeEntries", PAYLOADS);
        CompletableFuture<JobHandle<String>> late = faulty().enqueueAsync(LATEST, "a2", o -> o);
        awaitReal("the write", () -> faults.count("changeEntries") == 1);
        run(other());
        assertThat(result(first)).isEqualTo("1a1");
        passUntil("the ack", () -> keyed().totalSize() == 0);
        faults.release("changeEntries");
        JobHandle<String> second = late.join();
        assertThat(second.duplicate()).isFalse();
        assertThat(result(second)).isEqualTo("1a2");
        assertThat(begun).containsExactly("a1", "a2");
        passUntil("no payload to be left", () -> kept().isEmpty());
    }

    /** The job starts between the first push of its duplicate and the write of the payload. */
    @Test
    void payloadThatComesAfterTheStartIsThatOfANewJob() {
        JobHandle<String> first = other().enqueue(LATEST, "a1");
        faults.hold("changeEntries", PAYLOADS);
        CompletableFuture<JobHandle<String>> late = faulty().enqueueAsync(LATEST, "a2", o -> o);
        awaitReal("the write", () -> faults.count("changeEntries") == 1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        start(other().runner().handle(LATEST, (text, run) -> {
            shout(text);
            mayEnd.await();
            return text;
        }));
        awaitReal("the run", () -> !begun.isEmpty());
        faults.release("changeEntries");
        JobHandle<String> second = late.join();
        assertThat(second.duplicate()).isFalse();
        mayEnd.countDown();
        assertThat(result(first)).isEqualTo("a1");
        assertThat(result(second)).isEqualTo("a2");
        passUntil("no payload to be left", () -> kept().isEmpty());
    }

    /** A job is cancelled between the write of the payload and the second push. */
    @Test
    void payloadOfACancelledJobIsThatOfANewJob() {
        JobHandle<String> first = other().enqueue(LATEST, "a1");
        faults.hold("changeEntries", PAYLOADS);
        CompletableFuture<JobHandle<String>> late = faulty().enqueueAsync(LATEST, "a2", o -> o);
        awaitReal("the write", () -> faults.count("changeEntries") == 1);
        assertThat(other().cancel(first.id(), "not needed")).isTrue();
        faults.release("changeEntries");
        JobHandle<String> second = late.join();
        assertThat(second.duplicate()).isFalse();
        assertThat(payload(second)).isEqualTo("a2");
        assertThat(payload(first)).isEqualTo("a1");
        assertThat(kept()).isEmpty();
    }

    @Test
    void enqueueThatCannotWriteThePayloadFailsAndChangesNothing() {
        JobHandle<String> first = waitingJob();
        faults.refuse("changeEntries", JobLatestFaultsTest::ofPayloads);
        Jobs jobs = faulty();
        assertThatThrownBy(() -> jobs.enqueue(LATEST, "a3")).isInstanceOf(StorageException.class);
        assertThat(payload(first)).isEqualTo("a2");
        faults.accept("changeEntries");
        faults.loseReplies("changeEntries", 1);
        assertThatThrownBy(() -> jobs.enqueue(LATEST, "a4")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(jobs.enqueue(LATEST, "a5").id()).isEqualTo(first.id());
        run(jobs);
        assertThat(result(first)).isEqualTo("1a5");
    }
}

package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobNotSucceededException;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.memory.MemoryJobStoreProvider;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredEntry;
import dev.jono.spi.ConnectedFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Jobs whose store fails: their messages decide how they end. */
class JobFaultsTest extends JobCase {
    private final JobFaults faults = new JobFaults();
    private final AtomicInteger runs = new AtomicInteger();

    JobFaultsTest() {
        super(() -> MemorySetup.fresh().build());
    }

    /** The jobs with the faults. */
    private Jobs faulty() {
        return faults.jobs(jono());
    }

    private String shout(String text, JobRun run) {
        runs.incrementAndGet();
        return run.attempt() + " " + text;
    }

    private static boolean isFinal(Object changes) {
        return ((List<?>) changes).stream().anyMatch(each -> ((RecordChange) each).state() != RecordState.OPEN);
    }

    @Test
    void jobThatNobodyHasHeldRunsAlthoughRecordsCannotBeRead() {
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        faults.refuse("read", ids -> true);
        start(faulty().runner().handle(SHOUT, this::shout));
        passUntil("the run", () -> runs.get() == 1);
        faults.accept("read");
        assertThat(result(job)).isEqualTo("1 hello");
    }

    @Test
    void jobThatWasHeldWaitsUntilItsRecordCanBeRead() throws Exception {
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        waiting().reserve(Duration.ZERO).orElseThrow().release();
        faults.refuse("read", ids -> true);
        start(faulty().runner().handle(SHOUT, this::shout));
        passUntil("two attempts", () -> faults.count("read") >= 2);
        assertThat(runs).hasValue(0);
        faults.accept("read");
        assertThat(result(job)).isEqualTo("1 hello");
    }

    @Test
    void jobRunsAlthoughItsBeginCannotBeRecorded() {
        JobType<String, String> type = SHOUT.expiresAfter(Duration.ofHours(1));
        faults.refuse("write", changes -> !isFinal(changes));
        start(faulty().runner().handle(type, this::shout));
        assertThat(result(faulty().enqueue(type, "hello"))).isEqualTo("1 hello");
        assertThat(faults.count("write")).isPositive();
    }

    @Test
    void progressAndLogThatCannotBeWrittenComeLater() {
        faults.refuse("write", changes -> !isFinal(changes));
        CountDownLatch mayEnd = new CountDownLatch(1);
        start(faulty().runner().handle(SHOUT, (text, run) -> {
            run.log("first");
            run.progress(1, 3);
            mayEnd.await();
            run.log("second");
            return text;
        }));
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        passUntil("two attempts", () -> faults.count("write") >= 2);
        mayEnd.countDown();
        assertThat(result(job)).isEqualTo("hello");
        assertThat(view(job).progress()).contains(new JobProgress(1, 3, null));
        assertThat(jobs().log(job.id())).extracting(JobLogLine::text).containsExactly("first", "second");
    }

    @Test
    void endIsWrittenAgainUntilTheStoreIsBack() {
        faults.refuse("write", JobFaultsTest::isFinal);
        start(faulty().runner().handle(SHOUT, this::shout));
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        passUntil("two attempts", () -> faults.count("write") >= 2);
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        faults.accept("write");
        assertThat(result(job)).isEqualTo("1 hello");
        awaitReal("the ack", () -> waiting().totalSize() == 0);
        assertThat(runs).hasValue(1);
    }

    @Test
    void endWhoseReplyIsLostCountsOnce() {
        faults.loseReplies("write", 2);
        start(faulty().runner().handle(SHOUT, this::shout));
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        assertThat(result(job)).isEqualTo("1 hello");
        passUntil("the ack", () -> waiting().totalSize() == 0);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(runs).hasValue(1);
    }

    @Test
    void jobEndsWithoutItsRecordIfTheStoreStaysAway() {
        faults.refuse("write", changes -> true);
        start(faulty().runner().handle(SHOUT, this::shout));
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        passUntil("the ack", () -> waiting().totalSize() == 0);
        assertThat(job.view()).isEmpty();
        assertThatThrownBy(() -> result(job)).hasRootCauseInstanceOf(JobNotSucceededException.class);
        assertThat(runs).hasValue(1);
    }

    /** The log has one line a minute for losses. The two losses at the start race for the first line. */
    @Test
    void lostRecordsAreLoggedWithTheirNumber() {
        PrintStream before = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            faults.refuse("write", changes -> true);
            start(faulty().runner().concurrency(2).handle(SHOUT, this::shout));
            faulty().enqueueAll(SHOUT, List.of("hello", "world"), options -> options);
            passUntil("the acks", () -> waiting().totalSize() == 0);
            pass(Duration.ofMinutes(2));
            faulty().enqueue(SHOUT, "again");
            passUntil("the ack", () -> waiting().totalSize() == 0);
        } finally {
            System.setErr(before);
        }
        assertThat(written.toString(StandardCharsets.UTF_8))
                .containsPattern("may be lost; [12] such records in this process")
                .contains("may be lost; 3 such records in this process")
                .contains("(and 1 more like it since the last line)");
    }

    @Test
    void jobThatFailsWithoutItsRecordIsFailedByItsMessage() {
        faults.refuse("write", changes -> true);
        JobRunner runner = start(faulty().runner().handle(SHOUT, (text, run) -> {
            throw run.fail("no such file");
        }));
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        passUntil("the dead letter", () -> deadLetters().totalSize() == 1);
        assertThat(state(job)).isEqualTo(JobState.FAILED);
        assertThat(view(job).reason()).contains("no such file");
        assertThatThrownBy(() -> result(job))
                .hasRootCauseInstanceOf(JobNotSucceededException.class)
                .hasMessageContaining("no such file");
        awaitReal("the status", () -> runner.status().failed() == 1);
        faults.accept("write");
        assertThat(jobs().retry(job.id())).isTrue();
    }

    /** The message goes back before the record of the end is stored. */
    @Test
    void jobThatEndsWhileItsRunnerIsForcedToStopDoesNotRunAgain() {
        faults.hold("write");
        JobRunner first = faulty().runner().handle(SHOUT, this::shout).start();
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        awaitReal("the write", () -> faults.count("write") == 1);
        CompletableFuture<Boolean> stopped = inBackground(() -> first.stop(Duration.ZERO));
        passUntil("the message to go back", () -> state(job) != JobState.RUNNING);
        faults.release("write");
        passUntilDone("the stop", stopped);
        start(faulty().runner().handle(SHOUT, this::shout));
        assertThat(result(job)).isEqualTo("1 hello");
        passUntil("the ack", () -> waiting().totalSize() == 0);
        assertThat(runs).hasValue(1);
    }

    @Test
    void damagedRecordIsReplaced() {
        JobHandle<String> job = faulty().enqueue(SHOUT, "hello");
        try (JobStore store = new MemoryJobStoreProvider().open(((ConnectedFactory) jono()).companionConfig())) {
            RecordChange damaged = RecordChange.builder()
                    .id(job.id())
                    .type(SHOUT.name())
                    .document("{")
                    .build();
            got(store.write(List.of(damaged)));
        }
        assertThat(state(job)).isEqualTo(JobState.WAITING);
        start(faulty().runner().handle(SHOUT, this::shout));
        assertThat(result(job)).isEqualTo("1 hello");
    }

    /** As of a process that was killed, or has lost its storage. */
    @Test
    void runnerThatDoesNotReportDisappearsUntilItReportsAgain() {
        start(faulty().runner().name("silent").handle(SHOUT, this::shout));
        Jobs others = jobs(client());
        passUntil("the runner", () -> others.runners().size() == 1);
        RunnerView before = others.runners().get(0);
        faults.refuse("changeEntries", changes -> true);
        passUntil("the end of the runner", () -> others.runners().isEmpty());
        start(others.runner().name("alive").handle(JobType.of("other", String.class), (text, run) -> null));
        passUntil("its entry to be removed", () -> {
            List<StoredEntry> entries = entries();
            return entries.size() == 1 && !entries.get(0).name().equals(before.id());
        });
        assertThat(result(others.enqueue(SHOUT, "hello")))
                .as("the runner continues")
                .isEqualTo("1 hello");
        faults.accept("changeEntries");
        passUntil("both runners", () -> others.runners().size() == 2);
        assertThat(others.runners())
                .filteredOn(each -> each.id().equals(before.id()))
                .singleElement()
                .satisfies(again -> assertThat(again.startedAt()).isEqualTo(before.startedAt()));
    }

    private List<StoredEntry> entries() {
        try (JobStore store = new MemoryJobStoreProvider().open(((ConnectedFactory) jono()).companionConfig())) {
            return got(store.listEntries("runner", "", 100)).entries();
        }
    }
}

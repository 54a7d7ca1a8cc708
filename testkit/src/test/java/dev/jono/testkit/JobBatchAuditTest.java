package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.BatchView.State;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches whose numbers are wrong, because a process died between two steps. */
class JobBatchAuditTest extends JobCase {
    private static final JobType<String, Void> CALLBACK = JobType.of("callback", String.class);

    private final List<String> callbacks = Collections.synchronizedList(new ArrayList<>());

    JobBatchAuditTest() {
        super(() -> MemorySetup.fresh().build());
    }

    private JobBatch batch() {
        return jobs().batch("import", o -> o.onSuccess(CALLBACK, "success").onFailure(CALLBACK, "failure"));
    }

    private static State state(JobBatch batch) {
        return batch.view().orElseThrow().state();
    }

    private void startRunner(JobType<String, String> type) {
        start(jobs().runner()
                .concurrency(2)
                .handle(type, (text, run) -> {
                    if (text.equals("bad")) {
                        throw new IllegalStateException("a test's");
                    }
                    return text;
                })
                .handle(CALLBACK, (text, run) -> {
                    callbacks.add(text);
                    return null;
                }));
    }

    /** A process counts a job and dies before it enqueues the job, or dies after a job has ended and before it counts that. */
    private void countOneMore() {
        try (JobStore store = JobStoreCase.open(client())) {
            StoredEntry entry = StoreCase.got(store.entries("batch", List.of("import")))
                    .entries()
                    .get(0);
            String document = entry.document().replace("\"added\":2", "\"added\":3");
            assertThat(document).isNotEqualTo(entry.document());
            assertThat(StoreCase.got(store.changeEntries(
                            List.of(new EntryChange("batch", "import", entry.version(), "died", document)))))
                    .containsExactly(true);
        }
    }

    @Test
    void batchIsCompleteIfNoneOfItsJobsIsInAQueue() {
        JobBatch batch = batch();
        batch.enqueueAll(SHOUT, List.of("first", "second"), options -> options);
        countOneMore();
        batch.close();
        startRunner(SHOUT);
        passUntil("both to be counted", () -> batch.view().orElseThrow().succeeded() == 2);
        assertThat(state(batch)).isEqualTo(State.CLOSED);
        passUntil("the audit", () -> state(batch) == State.SUCCEEDED);
        passUntil("the callback", () -> !callbacks.isEmpty());
        assertThat(callbacks).containsExactly("success");
    }

    @Test
    void recordsTellWhetherAnyJobHasNotSucceeded() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        JobBatch batch = batch();
        batch.enqueueAll(once, List.of("good", "bad"), options -> options);
        countOneMore();
        batch.close();
        startRunner(once);
        passUntil("the audit", () -> state(batch) == State.FAILED);
        passUntil("the callback", () -> !callbacks.isEmpty());
        assertThat(callbacks).containsExactly("failure");
    }

    @Test
    void batchIsNotCompleteWhileOneOfItsJobsWaits() {
        JobBatch batch = batch();
        batch.enqueue(SHOUT, "first");
        JobHandle<String> later = batch.enqueue(SHOUT, "later", o -> o.delay(Duration.ofMinutes(10)));
        countOneMore();
        batch.close();
        startRunner(SHOUT);
        for (int minute = 0; minute < 9; minute++) {
            pass(Duration.ofMinutes(1));
            assertThat(state(batch)).isEqualTo(State.CLOSED);
        }
        result(later);
        passUntil("the audit", () -> state(batch) == State.SUCCEEDED);
    }

    @Test
    void completeBatchIsRemovedAfterAWeek() {
        JobBatch batch = batch();
        batch.close();
        startRunner(SHOUT);
        pass(Duration.ofDays(6));
        assertThat(batch.view()).isPresent();
        pass(Duration.ofDays(2));
        passUntil("the removal", () -> batch.view().isEmpty());
    }
}

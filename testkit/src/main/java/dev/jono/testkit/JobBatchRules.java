package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.WorkerStatus;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobBatchHandler;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobInBatch;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers that get several jobs at once. */
abstract class JobBatchRules extends JobCase {
    /** The key of a job is the first letter of its text. */
    private static final JobType<String, String> KEYED = SHOUT.key(text -> text.substring(0, 1));

    private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());

    JobBatchRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsKeys() {
        requires(Capability.KEYED);
    }

    private List<String> record(List<? extends JobInBatch<String, ?>> jobs) {
        List<String> texts = jobs.stream().map(JobInBatch::payload).toList();
        batches.add(texts);
        return texts;
    }

    private List<JobHandle<String>> enqueue(JobType<String, String> type, String... texts) {
        return jobs().enqueueAll(type, List.of(texts), options -> options);
    }

    @Test
    void batchHasConsecutiveJobsOfOneKey() {
        List<JobHandle<String>> jobs = enqueue(KEYED, "a1", "b1", "a2", "a3", "b2", "a4", "a5", "b3");
        JobBatchHandler<String, String> handler = batch -> {
            record(batch);
            for (JobInBatch<String, String> job : batch) {
                job.succeed(job.payload().toUpperCase(Locale.ROOT));
            }
        };
        start(jobs().runner().concurrency(6).handleBatch(KEYED, 3, handler));
        start(jobs(client()).runner().concurrency(6).handleBatch(KEYED, 3, handler));
        assertThat(result(jobs.get(0))).isEqualTo("A1");
        jobs.forEach(this::result);
        for (String key : List.of("a", "b")) {
            assertThat(batches.stream().flatMap(List::stream).filter(text -> text.startsWith(key)))
                    .isSorted();
        }
        assertThat(batches.stream().flatMap(List::stream)).hasSize(8);
        assertThat(batches).allSatisfy(batch -> {
            assertThat(batch).hasSizeLessThanOrEqualTo(3);
            assertThat(batch.stream().map(text -> text.charAt(0)).distinct()).hasSize(1);
        });
        assertThat(batches).anySatisfy(batch -> assertThat(batch).hasSizeGreaterThan(1));
    }

    @Test
    void jobsOfSeveralKeysAreSeveralBatches() {
        List<JobHandle<String>> jobs = enqueue(KEYED, "a1", "b1", "a2", "b2", "c1", "a3");
        start(jobs().runner().concurrency(6).handleBatch(KEYED, 6, batch -> {
            if (record(batch).contains("b1") && countOf("b1") == 1) {
                throw new IllegalStateException("a test's");
            }
        }));
        jobs.forEach(this::result);
        assertThat(batches).contains(List.of("a1", "a2", "a3"), List.of("b1", "b2"), List.of("c1"));
        assertThat(batches.stream().flatMap(List::stream)).hasSize(8);
        assertThat(jobs).extracting(job -> view(job).attempts().size()).containsExactly(1, 2, 1, 1, 1, 1);
    }

    private long countOf(String text) {
        return batches.stream()
                .flatMap(List::stream)
                .filter(each -> each.equals(text))
                .count();
    }

    @Test
    void jobsOfALaterKeyAreGivenBackUncountedByAStop() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<JobHandle<String>> jobs = enqueue(KEYED, "a1", "a2", "b1", "b2");
        JobRunner runner = start(jobs().runner().concurrency(4).handleBatch(KEYED, 4, batch -> {
            record(batch);
            mayEnd.await();
        }));
        awaitReal("the first batch", () -> !batches.isEmpty());
        String handled = batches.get(0).get(0).substring(0, 1);
        CompletableFuture<Boolean> stopped = inBackground(() -> runner.stop(Duration.ofDays(1)));
        awaitReal("the stop", () -> runner.status().state() != WorkerStatus.State.RUNNING);
        mayEnd.countDown();
        assertThat(stopped.join()).isTrue();
        assertThat(batches).containsExactly(List.of(handled + 1, handled + 2));
        List<JobHandle<String>> others = handled.equals("a") ? jobs.subList(2, 4) : jobs.subList(0, 2);
        passUntil(others.get(0), JobState.WAITING);
        assertThat(others).extracting(job -> view(job).attempt()).containsOnly(0);
        start(jobs(client()).runner().concurrency(4).handleBatch(KEYED, 4, this::record));
        others.forEach(this::result);
        assertThat(others).extracting(job -> view(job).attempts().size()).containsOnly(1);
    }

    @Test
    void cancelledJobOfALaterKeyDoesNotStart() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<JobHandle<String>> jobs = enqueue(KEYED, "a1", "b1");
        start(jobs().runner().concurrency(2).handleBatch(KEYED, 2, batch -> {
            record(batch);
            mayEnd.await();
        }));
        awaitReal("the first batch", () -> !batches.isEmpty());
        assertThat(batches.get(0)).hasSize(1);
        int first = batches.get(0).equals(List.of("a1")) ? 0 : 1;
        assertThat(jobs.get(1 - first).cancel("a test's")).isTrue();
        mayEnd.countDown();
        result(jobs.get(first));
        passUntil("the queue to be empty", () -> keyed().totalSize() == 0);
        assertThat(batches).hasSize(1);
        assertThat(state(jobs.get(1 - first))).isEqualTo(JobState.CANCELLED);
    }

    private MessageQueue<EncodedPayload> keyed() {
        return jono().queue("{jobs:shout}:keyed", Codec.raw());
    }

    @Test
    void exceptionIsAFailureOfTheFirstJobOfItsKeyAlone() {
        List<JobHandle<String>> jobs = enqueue(KEYED, "a1", "a2", "a3");
        start(jobs().runner().concurrency(3).handleBatch(KEYED, 3, batch -> {
            if (record(batch).contains("a1") && batches.size() == 1) {
                throw new IllegalStateException("a test's");
            }
        }));
        jobs.forEach(this::result);
        assertThat(batches.get(0)).containsExactly("a1", "a2", "a3");
        assertThat(batches.stream().skip(1).flatMap(List::stream)).containsExactly("a1", "a2", "a3");
        assertThat(view(jobs.get(0)).attempts()).extracting(JobAttempt::number).containsExactly(1, 2);
        assertThat(view(jobs.get(1)).attempts()).extracting(JobAttempt::number).containsExactly(1);
        assertThat(view(jobs.get(2)).attempts()).extracting(JobAttempt::number).containsExactly(1);
    }

    @Test
    void jobThatHasFailedForGoodIsFollowedByTheOthersOfItsKey() {
        List<JobHandle<String>> jobs = enqueue(KEYED, "a1", "a2", "a3");
        start(jobs().runner().concurrency(3).handleBatch(KEYED, 3, batch -> {
            if (record(batch).contains("a1")) {
                throw batch.get(0).run().fail("a test's");
            }
        }));
        passUntil(jobs.get(0), JobState.FAILED);
        result(jobs.get(1));
        result(jobs.get(2));
        assertThat(batches.stream().skip(1).flatMap(List::stream)).containsExactly("a2", "a3");
        assertThat(view(jobs.get(1)).attempts()).extracting(JobAttempt::number).containsExactly(1);
    }

    @Test
    void jobsThatHaveSucceededBeforeAnExceptionStaySo() {
        List<JobHandle<String>> jobs = enqueue(SHOUT, "1", "2", "3");
        start(jobs().runner().concurrency(3).handleBatch(SHOUT, 3, batch -> {
            record(batch);
            if (batches.size() == 1) {
                batch.get(0).succeed("done");
                throw new IllegalStateException("a test's");
            }
        }));
        assertThat(result(jobs.get(0))).isEqualTo("done");
        assertThat(result(jobs.get(1))).isNull();
        assertThat(result(jobs.get(2))).isNull();
        assertThat(view(jobs.get(0)).attempts()).hasSize(1);
        assertThat(view(jobs.get(1)).attempts()).hasSize(2);
        assertThat(view(jobs.get(2)).attempts()).hasSize(2);
    }

    @Test
    void unreadablePayloadIsAFailureOfItsJobAlone() {
        JobType<Integer, Void> numbers = JobType.of("shout", Integer.class).maxAttempts(1);
        List<JobHandle<String>> jobs = enqueue(SHOUT, "1", "x", "3");
        List<Integer> handled = Collections.synchronizedList(new ArrayList<>());
        start(jobs().runner()
                .concurrency(3)
                .handleBatch(numbers, 3, batch -> batch.forEach(job -> handled.add(job.payload()))));
        passUntil(jobs.get(0), JobState.SUCCEEDED);
        passUntil(jobs.get(1), JobState.FAILED);
        passUntil(jobs.get(2), JobState.SUCCEEDED);
        assertThat(handled).containsExactlyInAnyOrder(1, 3);
    }

    @Test
    void cancelledJobDoesNotInterruptTheOthers() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<JobHandle<String>> jobs = enqueue(SHOUT, "1", "2");
        start(jobs().runner().concurrency(2).handleBatch(SHOUT, 2, batch -> {
            record(batch);
            mayEnd.await();
        }));
        passUntil("both runs", () -> batches.stream().mapToInt(List::size).sum() == 2);
        assertThat(jobs.get(0).cancel("a test's")).isTrue();
        passUntil("the end of the first", () -> state(jobs.get(0)) == JobState.CANCELLED);
        pass(seconds(2));
        assertThat(state(jobs.get(1))).isEqualTo(JobState.RUNNING);
        mayEnd.countDown();
        result(jobs.get(1));
        assertThat(state(jobs.get(0))).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void batchIsNoLargerThanTheConcurrency() {
        assertThatThrownBy(() -> jobs().runner()
                        .concurrency(2)
                        .handleBatch(SHOUT, 3, batch -> {})
                        .start())
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.BatchView.State;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches, and the jobs that they enqueue at their end. */
abstract class JobCallbackRules extends JobCase {
    private static final JobType<String, String> OTHER =
            JobType.of("other", String.class).returning(String.class);
    private static final JobType<String, Void> CALLBACK = JobType.of("callback", String.class);

    private final List<String> handled = Collections.synchronizedList(new ArrayList<>());
    private final List<String> callbacks = Collections.synchronizedList(new ArrayList<>());

    JobCallbackRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsUniqueKeys() {
        requires(Capability.DEDUPLICATE);
    }

    private JobBatch batch(Jobs jobs) {
        return jobs.batch(
                "import-17",
                o -> o.onComplete(CALLBACK, "complete")
                        .onSuccess(CALLBACK, "success")
                        .onFailure(CALLBACK, "failure"));
    }

    private String handle(String text) {
        handled.add(text);
        if (text.startsWith("bad") && Collections.frequency(handled, text) == 1) {
            throw new IllegalStateException("a test's");
        }
        return text;
    }

    private void startRunner(Jobs jobs, JobType<String, String> type) {
        start(jobs.runner()
                .concurrency(4)
                .handle(type, (text, run) -> handle(text))
                .handle(OTHER, (text, run) -> handle(text))
                .handle(CALLBACK, (text, run) -> {
                    callbacks.add(text);
                    return null;
                }));
    }

    private BatchView view(JobBatch batch) {
        return batch.view().orElseThrow(() -> new AssertionError(batch + " is gone"));
    }

    private void passUntil(JobBatch batch, State state) {
        passUntil(batch + " to be " + state, () -> view(batch).state() == state);
    }

    private void passUntilCallbacks(String... expected) {
        passUntil("the callbacks", () -> callbacks.size() >= expected.length);
        pass(seconds(1));
        assertThat(callbacks).containsExactlyInAnyOrder(expected);
    }

    @Test
    void callbacksAreEnqueuedOnceWhenAllJobsHaveSucceeded() {
        JobHandler<String, String> adding = (text, run) -> {
            if (text.startsWith("more")) {
                batch(jobs()).enqueue(OTHER, "added by " + text);
            }
            return handle(text);
        };
        List<String> texts = new ArrayList<>(List.of("more1", "more2"));
        for (int i = 0; i < 20; i++) {
            texts.add("text" + i);
        }
        JobBatch batch = batch(jobs());
        batch.enqueueAll(SHOUT, texts, options -> options);
        batch(jobs(client())).enqueue(OTHER, "other");
        assertThat(view(batch)).isEqualTo(new BatchView("import-17", State.OPEN, 23, 0, 0, 0, 0));
        batch.close();
        startRunner(jobs(), SHOUT.maxAttempts(2));
        start(jobs(client()).runner().concurrency(4).handle(SHOUT, adding));
        start(jobs(client()).runner().concurrency(4).handle(OTHER, (text, run) -> handle(text)));
        passUntil(batch, State.SUCCEEDED);
        assertThat(view(batch).added()).isEqualTo(view(batch).succeeded());
        passUntilCallbacks("complete", "success");
        assertThat(handled).doesNotHaveDuplicates().containsAll(texts).contains("other");
        assertThatThrownBy(() -> batch.enqueue(SHOUT, "late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("import-17");
    }

    @Test
    void batchWithAFailedJobHasFailed() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        JobBatch batch = batch(jobs());
        batch.enqueueAll(once, List.of("good", "bad"), options -> options);
        JobHandle<String> cancelled = batch.enqueue(OTHER, "cancelled");
        assertThat(cancelled.cancel("a test's")).isTrue();
        batch.close();
        startRunner(jobs(), once);
        passUntil(batch, State.FAILED);
        assertThat(view(batch)).isEqualTo(new BatchView("import-17", State.FAILED, 3, 1, 1, 1, 0));
        passUntilCallbacks("complete", "failure");
    }

    @Test
    void jobThatIsRetriedBeforeTheEndCountsOnce() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        JobBatch batch = batch(jobs());
        JobHandle<String> bad = batch.enqueue(once, "bad");
        startRunner(jobs(), once);
        passUntil(bad, JobState.FAILED);
        passUntil("the failure to be counted", () -> view(batch).failed() == 1);
        retryFailed(bad);
        result(bad);
        passUntil("the success to be counted", () -> view(batch).succeeded() == 1);
        batch.close();
        passUntil(batch, State.SUCCEEDED);
        passUntilCallbacks("complete", "success");
    }

    /** With a block that closes it, a half-filled batch would be complete. */
    @Test
    void batchThatIsHalfFilledStaysOpenAndIsFilledAgain() {
        startRunner(jobs(), SHOUT);
        assertThat(batch(jobs())).isNotInstanceOf(AutoCloseable.class);
        batch(jobs()).enqueue(SHOUT, "first");
        passUntil("the success to be counted", () -> view(batch(jobs())).succeeded() == 1);
        JobBatch again = batch(jobs(client()));
        assertThat(view(again).state()).isEqualTo(State.OPEN);
        again.enqueue(SHOUT, "second");
        again.close();
        passUntil(again, State.SUCCEEDED);
        assertThat(view(again).succeeded()).isEqualTo(2);
        passUntilCallbacks("complete", "success");
    }

    @Test
    void batchIsNotCompleteBeforeItIsClosed() {
        startRunner(jobs(), SHOUT);
        JobBatch batch = batch(jobs());
        result(batch.enqueue(SHOUT, "hello"));
        passUntil("the success to be counted", () -> view(batch).succeeded() == 1);
        assertThat(view(batch).state()).isEqualTo(State.OPEN);
        batch.close();
        batch.close();
        passUntil(batch, State.SUCCEEDED);
        passUntilCallbacks("complete", "success");
        JobBatch empty = jobs().batch("empty");
        empty.close();
        passUntil(empty, State.SUCCEEDED);
    }

    @Test
    void runningJobKeepsItsBatchOpen() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobBatch batch = batch(jobs());
        JobHandle<String> job = batch.enqueue(SHOUT, "hello");
        batch.close();
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            mayEnd.await();
            return text;
        }));
        passUntil(job, JobState.RUNNING);
        pass(seconds(2));
        assertThat(view(batch).state()).isEqualTo(State.CLOSED);
        mayEnd.countDown();
        passUntil(batch, State.SUCCEEDED);
    }

    @Test
    void runnerThatEndsWhenNothingIsDueRunsTheCallbacksToo() {
        JobBatch batch = batch(jobs());
        batch.enqueueAll(SHOUT, List.of("first", "second"), options -> options);
        batch.close();
        CompletableFuture<Boolean> idle = inBackground(() -> jobs().runner()
                .lease(Duration.ofDays(1))
                .handle(SHOUT, (text, run) -> handle(text))
                .handle(CALLBACK, (text, run) -> {
                    callbacks.add(text);
                    return null;
                })
                .runUntilIdle(Duration.ofDays(1)));
        assertThat(passUntilDone("the runner to end", idle)).isTrue();
        assertThat(callbacks).containsExactlyInAnyOrder("complete", "success");
    }

    @Test
    void jobsAreFoundByTheirBatch() {
        JobBatch batch = batch(jobs());
        JobHandle<String> first = batch.enqueue(SHOUT, "hello", o -> o.tag("eu"));
        JobHandle<String> second = batch.enqueue(OTHER, "hello");
        jobs().enqueue(SHOUT, "hello", o -> o.tag("eu"));
        JobQuery query = JobQuery.all().batch("import-17");
        assertThat(jobs().find(query).jobs()).extracting(JobView::id).containsExactly(second.id(), first.id());
        startRunner(jobs(), SHOUT);
        result(first);
        result(second);
        assertThat(jobs().find(query).jobs()).extracting(JobView::id).containsExactly(second.id(), first.id());
        assertThat(jobs().find(query.tag("eu")).jobs()).extracting(JobView::id).containsExactly(first.id());
        assertThat(view(first).batch()).contains("import-17");
    }

    @Test
    void duplicateOfAnotherJobIsNotInTheBatch() {
        JobType<String, String> unique = SHOUT.unique(text -> text, UniqueMode.UNTIL_DONE);
        jobs().enqueue(unique, "hello");
        JobBatch batch = batch(jobs());
        batch.enqueueAll(unique, List.of("hello", "hello", "world"), options -> options);
        assertThat(view(batch).added()).isEqualTo(1);
    }

    @Test
    void lookCreatesNoBatch() {
        assertThat(jobs().findBatch("import-17")).isEmpty();
        assertThat(jobs().findBatch("import-17")).isEmpty();
        batch(jobs());
        assertThat(jobs(client()).findBatch("import-17").orElseThrow().state()).isEqualTo(State.OPEN);
    }

    @Test
    void batchesAreListedByName() {
        List.of("b", "c", "a").forEach(name -> jobs().batch(name));
        assertThat(jobs(client()).batches("", 2)).extracting(BatchView::name).containsExactly("a", "b");
        assertThat(jobs().batches("b", 2)).extracting(BatchView::name).containsExactly("c");
        assertThat(jobs().batches("c", 2)).isEmpty();
    }

    @Test
    void batchesAreNamed() {
        assertThatThrownBy(() -> jobs().batch("import 17"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'import 17'");
    }

    @Test
    void handlerAddsJobsToItsBatchOnlyIfItSaysSo() {
        JobBatch batch = batch(jobs());
        batch.enqueue(SHOUT, "first");
        batch.close();
        start(jobs(client())
                .runner()
                .handle(SHOUT, (text, run) -> {
                    run.batch().orElseThrow().enqueue(OTHER, "in the batch");
                    run.enqueue(OTHER, "in none", o -> o.delay(Duration.ofDays(300)));
                    return text;
                })
                .handle(OTHER, (text, run) -> handle(text)));
        passUntil(batch, State.SUCCEEDED);
        assertThat(view(batch).added()).isEqualTo(2);
        assertThat(handled).containsExactly("in the batch");
    }
}

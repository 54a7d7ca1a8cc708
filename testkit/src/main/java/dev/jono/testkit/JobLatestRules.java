package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.RemoveOutcome;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.UniqueMode;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.JobStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Jobs that take the payloads of their duplicates while they wait. */
abstract class JobLatestRules extends JobLatestCase {
    private static final Duration HOUR = Duration.ofHours(1);

    JobLatestRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private static void assertDuplicate(JobHandle<?> job, JobHandle<?> first) {
        assertThat(job.duplicate()).isTrue();
        assertThat(job.id()).isEqualTo(first.id());
    }

    private static void assertNew(JobHandle<?> job, JobHandle<?> before) {
        assertThat(job.duplicate()).isFalse();
        assertThat(job.id()).isNotEqualTo(before.id());
    }

    private static EncodedPayload json(String text) {
        return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void waitingJobHasTheNewestPayload() {
        JobHandle<String> first = jobs().enqueue(LATEST, "a1");
        assertThat(payload(first)).isEqualTo("a1");
        assertDuplicate(jobs(client()).enqueue(LATEST, "a2"), first);
        assertDuplicate(jobs().enqueueAsync(LATEST, "a4", o -> o).join(), first);
        assertThat(payload(first)).isEqualTo("a4");
        jobs().enqueueAllAsync(LATEST, List.of("a1", "a2", "a3"), o -> o)
                .join()
                .forEach(each -> assertDuplicate(each, first));
        assertThat(payload(first)).isEqualTo("a3");
        assertThat(jobs(client()).find(JobQuery.ofType("shout")).jobs())
                .extracting(view -> view.payload().text())
                .containsExactly("\"a3\"");
        start(jobs().runner().handle(LATEST, (text, run) -> shout(text)));
        assertThat(result(first)).isEqualTo("a3");
        assertThat(begun).containsExactly("a3");
        assertThat(payload(first)).isEqualTo("a3");
        passUntil("no payload to be left", () -> kept().isEmpty());
    }

    @Test
    void oneJobRunsAndOneWaitsWithTheNewestPayload() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        start(jobs().runner().concurrency(4).handle(LATEST, (text, run) -> {
            shout(text);
            mayEnd.await();
            return text;
        }));
        JobHandle<String> first = jobs().enqueue(LATEST, "a1");
        awaitReal("the run", () -> !begun.isEmpty());
        JobHandle<String> second = jobs().enqueue(LATEST, "a2");
        assertNew(second, first);
        assertDuplicate(jobs(client()).enqueue(LATEST, "a3"), second);
        assertDuplicate(jobs().enqueue(LATEST, "a4"), second);
        assertThat(state(second)).isEqualTo(JobState.BLOCKED);
        assertThat(payload(first)).isEqualTo("a1");
        assertThat(payload(second)).isEqualTo("a4");
        mayEnd.countDown();
        assertThat(result(second)).isEqualTo("a4");
        assertThat(begun).containsExactly("a1", "a4");
    }

    /** All runs of a job have the same payload; a job that waits meanwhile starts after the last of them. */
    @Test
    void jobKeepsItsPayloadForAllItsRuns() {
        JobHandle<String> first = jobs().enqueue(LATEST, "a1");
        assertDuplicate(jobs().enqueue(LATEST, "a2"), first);
        List<JobHandle<String>> later = new CopyOnWriteArrayList<>();
        start(jobs().runner().concurrency(4).handle(LATEST, (text, run) -> {
            shout(text);
            if (run.id().equals(first.id()) && run.attempt() < 3) {
                later.add(jobs().enqueue(LATEST, "a" + (run.attempt() + 2)));
                throw new IllegalStateException("a test's");
            }
            return text;
        }));
        assertThat(result(first)).isEqualTo("a2");
        assertNew(later.get(0), first);
        assertDuplicate(later.get(1), later.get(0));
        assertThat(result(later.get(0))).isEqualTo("a4");
        assertThat(begun).containsExactly("a2", "a2", "a2", "a4");
    }

    @Test
    void delayedJobKeepsItsDueTime() {
        JobHandle<String> first =
                jobs().enqueue(LATEST, "a1", o -> o.delay(HOUR).tag("eu"));
        Instant due = view(first).dueAt().orElseThrow();
        assertDuplicate(jobs().enqueue(LATEST, "a2", o -> o.tag("us")), first);
        JobView view = view(first);
        assertThat(view.dueAt()).contains(due);
        assertThat(view.tags()).containsExactly("eu");
        assertThat(view.state()).isEqualTo(JobState.SCHEDULED);
        start(jobs().runner().handle(LATEST, (text, run) -> shout(text)));
        assertThat(jobs().runNow(first.id())).isTrue();
        assertThat(result(first)).isEqualTo("a2");
    }

    @Test
    void failedJobRunsAgainWithItsPayload() {
        JobType<String, String> once = LATEST.maxAttempts(1);
        JobHandle<String> first = jobs().enqueue(once, "a1");
        assertDuplicate(jobs().enqueue(once, "a2"), first);
        start(jobs().runner().handle(once, (text, run) -> {
            shout(text);
            if (begun.size() == 1) {
                throw run.fail("a test's");
            }
            return text;
        }));
        passUntil(first, JobState.FAILED);
        assertThat(payload(first)).isEqualTo("a2");
        JobHandle<String> second = jobs().enqueue(once, "a3");
        assertNew(second, first);
        assertThat(result(second)).isEqualTo("a3");
        retryFailed(first);
        assertThat(result(first)).isEqualTo("a2");
        String copy = jobs().rerun(first.id()).orElseThrow();
        passUntil("the copy", () -> begun.size() == 4);
        assertThat(begun).containsExactly("a2", "a3", "a2", "a2");
        passUntil("its end", () -> jobs().get(copy).orElseThrow().state() == JobState.SUCCEEDED);
        passUntil("no payload to be left", () -> kept().isEmpty());
    }

    @Test
    void jobThatEndsBeforeItStartsHasTheNewestPayloadAndFreesTheKey() {
        JobHandle<String> cancelled = jobs().enqueue(LATEST, "a1");
        assertDuplicate(jobs().enqueue(LATEST, "a2"), cancelled);
        assertThat(cancelled.cancel("not needed")).isTrue();
        assertThat(payload(cancelled)).isEqualTo("a2");
        JobHandle<String> removed = jobs().enqueue(LATEST, "a3");
        assertNew(removed, cancelled);
        assertDuplicate(jobs().enqueue(LATEST, "a4"), removed);
        assertThat(jobs().remove(removed.id())).isTrue();
        assertThat(kept()).isEmpty();
        JobType<String, String> urgent = LATEST.expiresAfter(Duration.ofSeconds(5));
        JobHandle<String> expired = jobs().enqueue(urgent, "a5");
        assertNew(expired, removed);
        assertDuplicate(jobs().enqueue(urgent, "a6"), expired);
        pass(Duration.ofSeconds(6));
        start(jobs().runner().handle(urgent, (text, run) -> shout(text)));
        passUntil(expired, JobState.EXPIRED);
        assertThat(payload(expired)).isEqualTo("a6");
        passUntil("no payload to be left", () -> kept().isEmpty());
        JobHandle<String> last = jobs().enqueue(urgent, "a7");
        assertThat(result(last)).isEqualTo("a7");
        assertThat(begun).containsExactly("a7");
    }

    @Test
    void lastPayloadOfAListCounts() {
        List<JobHandle<String>> jobs = jobs().enqueueAll(LATEST, List.of("a1", "b1", "a2", "b2", "a3"), o -> o);
        assertThat(jobs).extracting(JobHandle::duplicate).containsExactly(false, false, true, true, true);
        assertDuplicate(jobs.get(4), jobs.get(0));
        assertThat(payload(jobs.get(0))).isEqualTo("a3");
        assertThat(payload(jobs.get(1))).isEqualTo("b2");
        assertThat(keyed().totalSize()).isEqualTo(2);
    }

    @Test
    void payloadThatCannotBeReadFailsTheJob() {
        JobType<Integer, String> numbers = JobType.of("shout", Integer.class)
                .returning(String.class)
                .unique(number -> "a", UniqueMode.LATEST)
                .maxAttempts(1);
        JobType<EncodedPayload, String> raw = JobType.of("shout", EncodedPayload.class)
                .returning(String.class)
                .unique(payload -> "a", UniqueMode.LATEST);
        JobHandle<String> first = jobs().enqueue(numbers, 1);
        assertDuplicate(jobs().enqueue(raw, json("{\"no\": \"number\"}")), first);
        start(jobs().runner().handle(numbers, (number, run) -> shout("a" + number)));
        passUntil(first, JobState.FAILED);
        assertThat(view(first).payload().text()).isEqualTo("{\"no\": \"number\"}");
        JobHandle<String> next = jobs().enqueue(numbers, 2);
        assertNew(next, first);
        assertThat(result(next)).isEqualTo("a2");
        assertThat(begun).containsExactly("a2");
    }

    @Test
    void jobAfterAnotherTakesPayloadsWhileItWaits() {
        JobType<String, String> other = JobType.of("other", String.class).returning(String.class);
        JobHandle<String> before = jobs().enqueue(other, "first");
        JobHandle<String> first = jobs().enqueue(LATEST, "a1", o -> o.after(before.id()));
        start(jobs().runner().handle(LATEST, (text, run) -> shout(text)));
        passUntil(
                "a look at the other job",
                () -> view(first)
                        .dueAt()
                        .orElseThrow()
                        .isAfter(view(before).dueAt().orElseThrow()));
        assertDuplicate(jobs().enqueue(LATEST, "a2"), first);
        assertThat(begun).isEmpty();
        start(jobs().runner().handle(other, (text, run) -> shout(text)));
        assertThat(result(first)).isEqualTo("a2");
        assertThat(begun).containsExactly("first", "a2");
    }

    @Test
    void batchCountsNoDuplicates() {
        JobHandle<String> outside = jobs().enqueue(LATEST, "a1");
        JobBatch batch = jobs().batch("import", o -> o);
        assertDuplicate(batch.enqueue(LATEST, "a2", o -> o), outside);
        JobHandle<String> inside = batch.enqueue(LATEST, "b1", o -> o);
        assertDuplicate(jobs().enqueue(LATEST, "b2"), inside);
        batch.close();
        start(jobs().runner().handle(LATEST, (text, run) -> shout(text)));
        assertThat(result(outside)).isEqualTo("a2");
        assertThat(result(inside)).isEqualTo("b2");
        passUntil("the batch", () -> batch.view().orElseThrow().state() == BatchView.State.SUCCEEDED);
        assertThat(batch.view().orElseThrow().added()).isOne();
    }

    @Test
    void duplicatesAreEvents() {
        List<JobEvent> heard = new CopyOnWriteArrayList<>();
        jobs().on(heard::add);
        JobHandle<String> first = jobs().enqueue(LATEST, "a1");
        jobs().enqueue(LATEST, "a2");
        awaitReal("both events", () -> heard.size() == 2);
        assertThat(heard)
                .extracting(JobEvent::kind)
                .containsExactly(JobEvent.Kind.ENQUEUED, JobEvent.Kind.DEDUPLICATED);
        assertThat(heard).extracting(JobEvent::jobId).containsOnly(first.id());
    }

    /** As after a crash between the end of a job and the end of its key. */
    @Test
    void keyOfAJobThatIsGoneIsFree() {
        JobHandle<String> gone = jobs().enqueue(LATEST, "a1");
        assertDuplicate(jobs().enqueue(LATEST, "a2"), gone);
        assertThat(keyed().remove(message(gone))).isEqualTo(RemoveOutcome.REMOVED);
        JobHandle<String> next = jobs().enqueue(LATEST, "a3");
        assertNew(next, gone);
        assertThat(payload(next)).isEqualTo("a3");
        assertThat(kept()).isEmpty();
    }

    /** As after a crash between the payload of a duplicate and its second push. */
    @Test
    void payloadsOfJobsThatAreGoneAreRemoved() {
        JobHandle<String> waiting = jobs().enqueue(LATEST, "b1", o -> o.delay(HOUR));
        assertDuplicate(jobs().enqueue(LATEST, "b2"), waiting);
        try (JobStore store = JobStoreCase.open(jono())) {
            for (int i = 0; i < 45; i++) {
                EntryChange change = new EntryChange("latest", "shout:gone" + i, null, "v" + i, "{}");
                assertThat(StoreCase.got(store.changeEntries(List.of(change)))).containsExactly(true);
            }
        }
        start(jobs().runner().handle(LATEST, (text, run) -> shout(text)));
        passUntil("the others to be gone", () -> kept().equals(List.of(waiting.id())));
        assertThat(payload(waiting)).isEqualTo("b2");
    }

    @Test
    void jobOfAnotherModeLosesItsKey() {
        JobHandle<String> other = jobs().enqueue(SHOUT, "a1", o -> o.unique("a", UniqueMode.UNTIL_DONE));
        JobHandle<String> first = jobs().enqueue(LATEST, "a2");
        assertNew(first, other);
        assertDuplicate(jobs().enqueue(SHOUT, "a3", o -> o.unique("a", UniqueMode.UNTIL_DONE)), first);
        assertDuplicate(jobs().enqueue(LATEST, "a4"), first);
        assertThat(payload(first)).isEqualTo("a4");
        assertThat(payload(other)).isEqualTo("a1");
        assertThat(kept()).containsExactly(first.id());
    }

    @Test
    void optionsThatExcludeTheModeAreRefused() {
        assertThatThrownBy(() -> jobs().enqueue(LATEST, "a1", o -> o.key("b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot have the ordering key 'b'");
        assertThatThrownBy(() -> jobs().enqueue(LATEST, "a1", o -> o.priority(JobPriority.HIGH)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot have the priority HIGH");
        assertThatThrownBy(() -> jobs().enqueue(LATEST.limitPerKey(2), "a1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limitPerKey must be 1");
        assertThatThrownBy(() -> jobs().enqueue(SHOUT, "a1", o -> o.unique("a", UniqueMode.LATEST)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not run, because its type has no ordering keys");
        assertThatThrownBy(() -> jobs().enqueue(LATEST, "a".repeat(128 * 1024)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the maximum for the mode 'latest' is 131072");
        assertThat(keyed().totalSize()).isZero();
        JobHandle<String> allowed = jobs().enqueue(LATEST, "a1", o -> o.key("a"));
        assertThat(view(allowed).key()).contains("a");
        JobHandle<String> chosen = jobs().enqueue(LATEST, "a1", o -> o.unique("c"));
        assertThat(view(chosen).key()).contains("c");
    }
}

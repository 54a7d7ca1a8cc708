package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ordering keys of jobs. */
abstract class JobKeyRules extends JobCase {
    /** The key of a job is the first letter of its text; an empty text has no key. */
    private static final JobType<String, String> KEYED =
            SHOUT.key(text -> text.isEmpty() ? null : text.substring(0, 1));

    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

    JobKeyRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsKeys() {
        requires(Capability.KEYED);
    }

    private String shout(String text) {
        begun.add(text);
        return text;
    }

    private List<String> begunOf(String key) {
        return List.copyOf(begun).stream().filter(text -> text.startsWith(key)).toList();
    }

    @Test
    void jobsOfAKeyRunOneAtATimeInTheOrderOfTheirEnqueue() {
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        AtomicInteger together = new AtomicInteger();
        JobHandler<String, String> handler = (text, run) -> {
            AtomicInteger ofKey = running.computeIfAbsent(text.substring(0, 1), key -> new AtomicInteger());
            if (ofKey.incrementAndGet() > 1) {
                together.incrementAndGet();
            }
            shout(text);
            ofKey.decrementAndGet();
            return text;
        };
        start(jobs().runner().concurrency(4).handle(KEYED, handler));
        start(jobs(client()).runner().concurrency(4).handle(KEYED, handler));
        List<String> texts = new ArrayList<>();
        for (int i = 10; i < 22; i++) {
            for (String key : List.of("a", "b", "c", "d", "e")) {
                texts.add(key + i);
            }
        }
        List<JobHandle<String>> jobs = new ArrayList<>();
        texts.forEach(text -> jobs.add(jobs().enqueue(KEYED, text)));
        jobs.forEach(this::result);
        assertThat(begun).containsExactlyInAnyOrderElementsOf(texts);
        for (String key : List.of("a", "b", "c", "d", "e")) {
            assertThat(begunOf(key)).isSorted();
        }
        assertThat(together).as("runs of one key at the same time").hasValue(0);
    }

    @Test
    void runKnowsTheSettingsOfItsJob() {
        JobType<String, String> twice = KEYED.maxAttempts(2);
        start(jobs().runner().handle(twice, (text, run) -> run.key() + " " + run.tags() + " " + run.maxAttempts()));
        assertThat(result(jobs(client()).enqueue(KEYED, "a1", o -> o.tag("eu").tag("new"))))
                .isEqualTo("Optional[a] [eu, new] 2");
        assertThat(result(jobs().enqueue(KEYED, ""))).isEqualTo("Optional.empty [] 2");
    }

    @Test
    void jobThatIsTriedAgainHoldsUpThoseOfItsKey() {
        JobHandle<String> first = jobs().enqueue(KEYED, "a1");
        JobHandle<String> second = jobs().enqueue(KEYED, "a2");
        JobHandle<String> other = jobs().enqueue(KEYED, "b1");
        start(jobs().runner().concurrency(4).handle(KEYED, (text, run) -> {
            shout(text);
            if (text.equals("a1") && run.attempt() == 1) {
                throw new IllegalStateException("a test's");
            }
            return text;
        }));
        awaitReal("the other key", () -> state(other) == JobState.SUCCEEDED);
        awaitReal("the first attempt", () -> state(first) == JobState.RETRYING);
        assertThat(state(second)).isEqualTo(JobState.BLOCKED);
        result(second);
        assertThat(begunOf("a")).containsExactly("a1", "a1", "a2");
    }

    @Test
    void jobThatHasFailedHoldsUpNoOther() {
        JobType<String, String> once = KEYED.maxAttempts(1);
        start(jobs().runner().handle(once, (text, run) -> {
            shout(text);
            if (text.equals("a1") && begun.size() == 1) {
                throw new IllegalStateException("a test's");
            }
            return text;
        }));
        JobHandle<String> first = jobs().enqueue(once, "a1");
        JobHandle<String> second = jobs().enqueue(once, "a2");
        result(second);
        passUntil(first, JobState.FAILED);
        assertThat(view(first).key()).contains("a");
        retryFailed(first);
        result(first);
        assertThat(begun).containsExactly("a1", "a2", "a1");
    }

    @Test
    void blockedJobsAreListedCountedAndCancelled() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        JobHandle<String> first = jobs().enqueue(KEYED, "a1");
        JobHandle<String> second = jobs().enqueue(KEYED, "a2");
        JobHandle<String> third = jobs().enqueue(KEYED, "a3");
        jobs().enqueue(KEYED, "");
        start(jobs().runner().concurrency(2).handle(KEYED, (text, run) -> {
            shout(text);
            if (text.equals("a1")) {
                mayEnd.await();
            }
            return text;
        }));
        awaitReal("the first run", () -> state(first) == JobState.RUNNING);
        assertThat(state(second)).isEqualTo(JobState.BLOCKED);
        assertThat(jobs().find(JobQuery.ofType(KEYED).state(JobState.BLOCKED)).jobs())
                .extracting(JobView::id)
                .containsExactly(second.id(), third.id());
        assertThat(jobs().counts().get("shout")).containsEntry(JobState.BLOCKED, 2L);
        assertThat(jobs().cancel(second.id(), "a test's")).isTrue();
        mayEnd.countDown();
        result(third);
        assertThat(begunOf("a")).containsExactly("a1", "a3");
    }

    @Test
    void jobsAreFoundByTheirKey() {
        String key = "Łódź, 17";
        JobHandle<String> waits = jobs(client()).enqueue(KEYED, "hello", o -> o.key(key));
        JobHandle<String> other =
                jobs().enqueue(KEYED, "hello", o -> o.key("18").tag("eu"));
        assertThat(jobs().find(JobQuery.all().key(key)).jobs())
                .extracting(JobView::id)
                .containsExactly(waits.id());
        start(jobs().runner().handle(KEYED, (text, run) -> text));
        result(waits);
        result(other);
        assertThat(jobs().find(JobQuery.all().key(key)).jobs())
                .extracting(JobView::id)
                .containsExactly(waits.id());
        assertThat(jobs().find(JobQuery.all().key("18").tag("eu")).jobs()).hasSize(1);
        assertThat(jobs().find(JobQuery.all().key("18").tag("us")).jobs()).isEmpty();
        String again = jobs().rerun(waits.id()).orElseThrow();
        assertThat(jobs().get(again).orElseThrow().key()).contains(key);
    }

    @Test
    void jobWithAKeyHasNoPriority() {
        assertThatThrownBy(() -> jobs().enqueue(KEYED, "a1", o -> o.priority(JobPriority.HIGH)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a'");
        JobHandle<String> withoutKey = jobs().enqueue(KEYED, "", o -> o.priority(JobPriority.HIGH));
        assertThat(view(withoutKey).priority()).isEqualTo(JobPriority.HIGH);
    }

    @Test
    void failedJobIsRetriedAfterTheQueueOfItsKeyWasDeleted() {
        requires(Capability.DELETE);
        JobType<String, String> two = KEYED.limitPerKey(2);
        JobHandle<String> first = failed("a1");
        JobHandle<String> second = failed("b1");
        keyed().delete();
        assertThat(jobs(client()).retry(first.id())).isTrue();
        JobHandle<String> later = jobs(client()).enqueue(KEYED, "a2");
        assertThat(state(later)).isEqualTo(JobState.BLOCKED);
        JobRunner runner = start(jobs(client()).runner().handle(KEYED, (text, run) -> text));
        assertThat(result(first)).isEqualTo("a1");
        assertThat(result(later)).isEqualTo("a2");
        assertThat(runner.stop(Duration.ofSeconds(20))).isTrue();
        passUntil("the queue to be empty", () -> keyed().totalSize() == 0);
        keyed().delete();
        QueueFactory changed = client();
        start(jobs(changed).runner().handle(two, (text, run) -> text));
        assertThat(jobs(changed).retry(second.id())).isTrue();
        assertThat(result(second)).isEqualTo("b1");
        assertThat(jobs(changed).enqueue(two, "b2").duplicate()).isFalse();
    }

    private JobHandle<String> failed(String text) {
        JobRunner runner = start(jobs().runner().handle(KEYED.maxAttempts(1), (each, run) -> {
            throw run.fail("a test's");
        }));
        JobHandle<String> job = jobs().enqueue(KEYED, text);
        passUntil(job, JobState.FAILED);
        passUntil(
                "the dead letter",
                () -> deadLetters().get(job.id().substring("shout:".length())).isPresent());
        assertThat(runner.stop(Duration.ofSeconds(20))).isTrue();
        return job;
    }

    private MessageQueue<EncodedPayload> keyed() {
        return jono().queue("{jobs:shout}:keyed", Codec.raw());
    }

    @Test
    void keyOfAJobWhoseTypeHasNoKeysIsRefused() {
        UnaryOperator<EnqueueOptions> key = options -> options.key("a");
        List<ThrowingCallable> enqueues = List.of(
                () -> jobs().enqueue(SHOUT, "hello", key),
                () -> jobs().enqueueAsync(SHOUT, "hello", key),
                () -> jobs().enqueueAll(SHOUT, List.of("hello", "again"), key),
                () -> jobs().enqueueAllAsync(SHOUT, List.of("hello", "again"), key),
                () -> jobs().batch("import").enqueue(SHOUT, "hello", key));
        assertThat(enqueues)
                .allSatisfy(enqueue -> assertThatThrownBy(enqueue)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'shout'", "'a'", "JobType.key("));
        assertThat(jobs().find(JobQuery.all()).jobs()).isEmpty();
        assertThat(jobs().findBatch("import").orElseThrow().added()).isZero();
        JobHandle<String> chosen = jobs().enqueue(SHOUT.key(text -> null), "hello", key);
        assertThat(view(chosen).key()).contains("a");
        start(jobs(client()).runner().handle(KEYED, (text, run) -> text));
        assertThat(result(chosen)).isEqualTo("hello");
    }

    @Test
    void noMoreJobsOfAKeyRunThanAllowed() {
        JobType<String, String> two = KEYED.limitPerKey(2);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        JobHandler<String, String> handler = (text, run) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            mayEnd.await();
            running.decrementAndGet();
            return text;
        };
        List<JobHandle<String>> jobs =
                new ArrayList<>(jobs().enqueueAll(two, List.of("a1", "a2", "a3", "a4", "a5"), options -> options));
        start(jobs().runner().concurrency(4).handle(two, handler));
        start(jobs(client()).runner().concurrency(4).handle(two, handler));
        awaitReal("two runs", () -> running.get() == 2);
        jobs.add(jobs().enqueue(two, "b1"));
        awaitReal("a run of the other key", () -> running.get() == 3);
        mayEnd.countDown();
        jobs.forEach(this::result);
        assertThat(most).hasValue(3);
    }
}

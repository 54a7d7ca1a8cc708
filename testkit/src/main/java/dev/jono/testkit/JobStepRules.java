package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Steps of jobs, whose results are recorded. */
abstract class JobStepRules extends JobCase {
    private final List<String> steps = Collections.synchronizedList(new ArrayList<>());

    JobStepRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** A result of a step. */
    record Invoice(int number, String text) {}

    private <T> T ran(String step, T result) {
        steps.add(step);
        return result;
    }

    @Test
    void stepThatIsRecordedDoesNotRunAgain() {
        List<Object> results = Collections.synchronizedList(new ArrayList<>());
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            Invoice invoice = run.step("invoice", Invoice.class, () -> ran("invoice", new Invoice(17, "ä \"€\"")));
            String file = run.step("file", String.class, () -> ran("file", "null and void"));
            String none = run.step("none", String.class, () -> {
                steps.add("none");
                return null;
            });
            run.step("mail", () -> steps.add("mail"));
            results.add(List.of(invoice, file, String.valueOf(none)));
            if (run.attempt() < 3) {
                throw new IllegalStateException("a test's");
            }
            run.step("last", () -> steps.add("last"));
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        assertThat(result(job)).isEqualTo("hello");
        assertThat(steps).containsExactly("invoice", "file", "none", "mail", "last");
        assertThat(results).hasSize(3).containsOnly(List.of(new Invoice(17, "ä \"€\""), "null and void", "null"));
        assertThat(view(job).attempts()).extracting(JobAttempt::number).containsExactly(1, 2, 3);
    }

    @Test
    void stepThatHasThrownRunsAgain() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            run.step("mail", () -> {
                steps.add("mail");
                if (run.attempt() == 1) {
                    throw new IllegalStateException("a test's");
                }
            });
            return text;
        }));
        assertThat(result(jobs().enqueue(SHOUT, "hello"))).isEqualTo("hello");
        assertThat(steps).containsExactly("mail", "mail");
    }

    @Test
    void stepsAreKeptByARetryByHand() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        start(jobs().runner().handle(once, (text, run) -> {
            run.step("mail", () -> steps.add("mail"));
            if (steps.size() == 1 && steps.add("failed")) {
                throw new IllegalStateException("a test's");
            }
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(once, "hello");
        passUntil(job, JobState.FAILED);
        retryFailed(job);
        assertThat(result(job)).isEqualTo("hello");
        assertThat(steps).containsExactly("mail", "failed");
    }

    @Test
    void stepThatCannotBeRecordedIsAFailure() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        start(jobs().runner().handle(once, (text, run) -> {
            if (text.isEmpty()) {
                run.step("", () -> steps.add("mail"));
            } else {
                run.step("large", String.class, () -> "x".repeat(70_000));
            }
            return text;
        }));
        JobHandle<String> unnamed = jobs().enqueue(once, "");
        JobHandle<String> large = jobs().enqueue(once, "hello");
        passUntil(unnamed, JobState.FAILED);
        passUntil(large, JobState.FAILED);
        assertThat(view(unnamed).reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("name of a step"));
        assertThat(view(large).reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains("'large'", "65536"));
        assertThat(steps).isEmpty();
    }

    @Test
    void cancelledJobRunsNoFurtherStep() {
        start(jobs().runner().handle(SHOUT, (text, run) -> {
            run.step("first", () -> {
                steps.add("first");
                assertThat(jobs().cancel(run.id(), "a test's")).isTrue();
            });
            run.step("second", () -> steps.add("second"));
            return text;
        }));
        JobHandle<String> job = jobs().enqueue(SHOUT, "hello");
        passUntil(job, JobState.CANCELLED);
        awaitReal("the end of the run", () -> waiting().totalSize() == 0);
        assertThat(steps).containsExactly("first");
    }

    /** Without the step, the second attempt would enqueue a second one. */
    @Test
    void handlerEnqueuesOtherJobs() {
        JobType<String, String> other = JobType.of("other", String.class).returning(String.class);
        start(jobs().runner()
                .handle(SHOUT, (text, run) -> {
                    String first = run.step(
                            "enqueue",
                            String.class,
                            () -> run.enqueue(other, text).id());
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("a test's");
                    }
                    String second = run.enqueueAsync(other, text, o -> o.tag("async"))
                            .join()
                            .id();
                    List<JobHandle<String>> more = run.enqueueAll(other, List.of("b", "c"), o -> o.tag("all"));
                    assertThat(run.batch()).isEmpty();
                    return String.join(
                            ",", first, second, more.get(0).id(), more.get(1).id());
                })
                .handle(other, (text, run) -> text));
        String ids = result(jobs().enqueue(SHOUT, "a"));
        List<String> payloads = new ArrayList<>();
        for (String id : String.valueOf(ids).split(",", -1)) {
            passUntil("job " + id, () -> jobs().get(id).orElseThrow().state() == JobState.SUCCEEDED);
            payloads.add(jobs().get(id).orElseThrow().payload().text());
        }
        assertThat(payloads).containsExactly("\"a\"", "\"a\"", "\"b\"", "\"c\"");
        Map<JobState, Long> succeeded = Map.of(JobState.SUCCEEDED, 4L);
        passUntil("the acks", () -> succeeded.equals(jobs().counts().get("other")));
    }
}

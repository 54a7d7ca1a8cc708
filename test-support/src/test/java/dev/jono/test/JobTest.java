package dev.jono.test;

import static dev.jono.test.JobAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

@JonoTest
class JobTest {
    record Mail(String to) {}

    private static final JobType<Mail, Void> MAIL =
            JobType.of("mail", Mail.class).maxAttempts(2).backoff(Backoff.fixed(Duration.ofMinutes(1)));
    private static final JobType<String, Void> OTHER = JobType.of("other", String.class);

    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Test
    void enqueuedJobsAreFound(Jobs jobs) {
        jobs.enqueue(MAIL, new Mail("ada"));
        jobs.enqueue(MAIL, new Mail("bob"), o -> o.delay(Duration.ofHours(1)));
        assertThat(jobs).hasEnqueued(MAIL, new Mail("bob"), new Mail("ada")).hasNotEnqueued(OTHER);
        assertThatThrownBy(() -> assertThat(jobs).hasEnqueued(MAIL, new Mail("eve")))
                .hasMessageContaining("job")
                .hasMessageContaining("eve")
                .hasMessageContaining("ada");
        assertThatThrownBy(() -> assertThat(jobs).hasNotEnqueued(MAIL)).isInstanceOf(AssertionError.class);
    }

    @Test
    void jobsRunUntilTheRunnerIsIdle(Jobs jobs, JonoTester tester) {
        JobHandle<Void> job = jobs.enqueue(MAIL, new Mail("ada"));
        jobs.runner()
                .handle(MAIL, (mail, run) -> {
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("the server is away");
                    }
                    sent.add(mail.to());
                    return null;
                })
                .start();
        tester.awaitIdle();
        assertThat(sent).isEmpty();
        tester.advance(Duration.ofMinutes(1));
        assertThat(sent).containsExactly("ada");
        assertThat(jobs).hasSucceeded(job.id()).hasEnqueued(MAIL, new Mail("ada"));
    }

    @Test
    void failedJobIsADeadLetter(Jobs jobs, JonoTester tester) {
        JobHandle<Void> job = jobs.enqueue(MAIL, new Mail("ada"));
        jobs.runner()
                .handle(MAIL, (mail, run) -> {
                    throw run.fail("no such address");
                })
                .start();
        tester.awaitIdle();
        assertThat(jobs).hasFailed(job.id());
        assertThatThrownBy(() -> assertThat(jobs).hasSucceeded(job.id())).hasMessageContaining("no such address");
        assertThat(tester.takeDeadLetters()).hasSize(1);
    }

    @Test
    void jobOfAScheduleRuns(Jobs jobs, JonoTester tester) {
        jobs.schedule("report", "0 3 * * *", ZoneOffset.UTC, MAIL, new Mail("boss"));
        jobs.runner()
                .handle(MAIL, (mail, run) -> {
                    sent.add(mail.to());
                    return null;
                })
                .start();
        jobs.runSchedule("report");
        tester.awaitIdle();
        assertThat(sent).containsExactly("boss");
    }

    @Test
    void schedulesRunWhileTimePasses(Jobs jobs, JonoTester tester, SettableClock clock) {
        jobs.schedule("report", "0 3 * * *", ZoneOffset.UTC, MAIL, new Mail("boss"));
        List<Instant> runs = new CopyOnWriteArrayList<>();
        jobs.runner()
                .handle(MAIL, (mail, run) -> {
                    runs.add(clock.wall());
                    return null;
                })
                .start();
        Instant midnight = clock.wall();
        Duration three = Duration.ofHours(3);
        tester.advance(three.minusSeconds(1));
        assertThat(runs).isEmpty();
        tester.advance(Duration.ofMinutes(1));
        assertThat(runs)
                .singleElement()
                .satisfies(run -> assertThat(run)
                        .isBetween(midnight.plus(three), midnight.plus(three).plusSeconds(10)));
        tester.advance(Duration.ofDays(1));
        assertThat(runs)
                .hasSize(2)
                .last()
                .satisfies(run -> assertThat(run)
                        .isBetween(
                                midnight.plus(three).plus(Duration.ofDays(1)),
                                midnight.plus(three).plus(Duration.ofDays(1)).plusSeconds(10)));
        assertThat(clock.wall()).isEqualTo(midnight.plus(three).plusSeconds(59).plus(Duration.ofDays(1)));
    }
}

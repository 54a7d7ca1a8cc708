package dev.jono.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.test.JonoExtension;
import dev.jono.test.JonoTester;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobMetricsTest {
    private static final JobType<String, Void> MAIL =
            JobType.of("mail", String.class).maxAttempts(2).backoff(Backoff.fixed(Duration.ofMinutes(1)));

    private final MockClock time = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, time);
    private final JonoJobMetrics metrics = JonoJobMetrics.create(registry);

    @RegisterExtension
    final JonoExtension jono = JonoExtension.create().configure(factory -> factory.interceptor(metrics));

    private @Nullable Timer duration(String outcome) {
        return registry.find("jono.job.duration")
                .tags("type", "mail", "outcome", outcome)
                .timer();
    }

    private void awaitDuration(String outcome, long count) {
        await("a duration of " + outcome).until(() -> {
            Timer timer = duration(outcome);
            return timer != null && timer.count() == count;
        });
    }

    @Test
    void runsAreTimedByOutcome(Jobs jobs, JonoTester tester) {
        metrics.listenTo(jobs);
        jobs.enqueue(MAIL, "ada");
        jobs.enqueue(MAIL, "nobody");
        jobs.runner()
                .handle(MAIL, (to, run) -> {
                    tester.clock().advance(Duration.ofSeconds(3));
                    if (to.equals("nobody")) {
                        throw new IllegalStateException("no such address");
                    }
                    return null;
                })
                .start();
        tester.awaitIdle();
        awaitDuration("succeeded", 1);
        awaitDuration("retrying", 1);
        tester.advance(Duration.ofMinutes(2));
        awaitDuration("failed", 1);
        tester.takeDeadLetters();
        Timer succeeded =
                registry.get("jono.job.duration").tags("outcome", "succeeded").timer();
        assertThat(succeeded.totalTime(TimeUnit.SECONDS)).isEqualTo(3);
    }

    @Test
    void waitIsTheTimeSinceAJobWasDue(QueueFactory jono, Jobs jobs, JonoTester tester) {
        jobs.enqueue(MAIL, "ada");
        jono.queue("no-job", String.class).push("a");
        long now = tester.clock().wallMillis();
        time.add(now - time.wallTime() + 5_000, TimeUnit.MILLISECONDS); // the host's clock, 5 s later
        jono.worker()
                .from(jono.queue("no-job", String.class), (text, delivery) -> {})
                .start();
        jobs.runner().handle(MAIL, (to, run) -> null).start();
        tester.awaitIdle();
        assertThat(registry.getMeters()).hasSize(1);
        Timer wait = registry.get("jono.job.wait").tags("type", "mail").timer();
        assertThat(wait.count()).isEqualTo(1);
        assertThat(wait.totalTime(TimeUnit.SECONDS)).isEqualTo(5);
    }
}

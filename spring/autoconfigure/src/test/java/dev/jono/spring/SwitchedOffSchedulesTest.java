package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.ScheduleView;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A schedule with the expression {@code -}: this application does not run it, and it is gone unless another process needs it. */
@ExtendWith(OutputCaptureExtension.class)
class SwitchedOffSchedulesTest {
    private static final JobType<Map<String, Object>, Void> NIGHTLY =
            JobType.of("reports.nightly", new dev.jono.TypeRef<Map<String, Object>>() {});

    /** The storage, and another process on it. */
    private final QueueFactory outside = QueueFactory.connect("memory:switched-off");

    private final Jobs jobs = Jobs.on(outside);

    @AfterEach
    void close() {
        outside.close();
    }

    static class Reports {
        @JonoSchedule(cron = "${nightly.cron}")
        void nightly() {}
    }

    static class ReportsOnDemandToo {
        @JonoJob("report")
        @JonoSchedule(cron = "${nightly.cron}", name = "reports.nightly")
        void nightly() {}
    }

    private static ApplicationContextRunner application(Class<?> reports, String cron, String... properties) {
        return Contexts.empty()
                .withPropertyValues("jono.url=memory:switched-off", "nightly.cron=" + cron)
                .withPropertyValues(properties)
                .withBean("reports", reports);
    }

    private List<String> schedules() {
        return jobs.schedules().stream().map(ScheduleView::name).toList();
    }

    private List<String> typesHandled() {
        return jobs.runners().stream()
                .map(RunnerView::types)
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void theNextStartRemovesIt() {
        application(Reports.class, "0 2 * * *")
                .run(context -> assertThat(schedules()).containsExactly("reports.nightly"));
        application(Reports.class, "-").run(context -> {
            assertThat(schedules()).isEmpty();
            assertThat(typesHandled()).isEmpty();
        });
    }

    @Test
    void jobsThatAreEnqueuedByHandStillRun() {
        application(ReportsOnDemandToo.class, "0 2 * * *")
                .run(context -> assertThat(schedules()).containsExactly("reports.nightly"));
        application(ReportsOnDemandToo.class, "-").run(context -> {
            assertThat(schedules()).isEmpty();
            await().atMost(Contexts.SOON)
                    .untilAsserted(() -> assertThat(typesHandled()).containsExactly("report"));
        });
    }

    @Test
    void aScheduleThatAnotherProcessNeedsStays(CapturedOutput output) {
        jobs.schedule("reports.nightly", "0 2 * * *", ZoneId.of("UTC"), NIGHTLY, Map.of());
        try (JobRunner other = jobs.runner()
                .name("night shift")
                .handle(NIGHTLY, (payload, run) -> null)
                .start()) {
            assertThat(other.status().running()).isZero();
            await().atMost(Contexts.SOON)
                    .untilAsserted(() -> assertThat(typesHandled()).containsExactly("reports.nightly"));
            application(Reports.class, "-").run(context -> {
                assertThat(schedules()).containsExactly("reports.nightly");
                assertThat(context.getBean(Jobs.class).runners())
                        .extracting(RunnerView::name)
                        .containsExactly("night shift");
            });
            assertThat(output)
                    .contains("the schedule 'reports.nightly' is switched off in this application, but stays")
                    .contains("'night shift'");
        }
    }

    @Test
    void withoutRunnerNothingChanges() {
        jobs.schedule("reports.nightly", "0 2 * * *", ZoneId.of("UTC"), NIGHTLY, Map.of());
        application(Reports.class, "-", "jono.jobs.runner.enabled=false")
                .run(context -> assertThat(schedules()).containsExactly("reports.nightly"));
    }
}

package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobInBatch;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleView;
import dev.jono.spring.jobs.JobDefinition;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Methods with {@link JonoJob} and {@link JonoSchedule}. */
class JobMethodsTest {
    record Resize(String file) {}

    record Thumb(String file, int attempt) {}

    private static final JobType<Resize, Thumb> RESIZE =
            JobType.of("resize", Resize.class).returning(Thumb.class);

    static class Thumbs {
        @JonoJob(type = "resize", maxAttempts = "1", timeout = "5m")
        Thumb resize(JobRun run, Resize resize) {
            run.progress(1, 1);
            return new Thumb(resize.file(), run.attempt());
        }

        @JonoJob("names")
        CompletableFuture<List<String>> names(Map<String, Integer> payload) {
            return CompletableFuture.completedFuture(List.copyOf(payload.keySet()));
        }
    }

    @Test
    void aMethodRunsTheJobsOfItsType() {
        Contexts.inMemory().withBean(Thumbs.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.enqueue(RESIZE, new Resize("a.png")).await(Contexts.SOON))
                    .isEqualTo(new Thumb("a.png", 1));

            JobType<Map<String, Integer>, List<String>> names = JobType.of(
                            "names", new dev.jono.TypeRef<Map<String, Integer>>() {})
                    .returning(new dev.jono.TypeRef<List<String>>() {});
            assertThat(jobs.enqueue(names, Map.of("a", 1)).await(Contexts.SOON)).containsExactly("a");
            assertThat(jobs.runners().get(0).types()).contains("resize", "names");
        });
    }

    static class Batches {
        final List<List<Resize>> handled = new CopyOnWriteArrayList<>();

        @JonoJob(type = "in-batches", batch = "${batch:3}")
        void resizeAll(List<Resize> all) {
            handled.add(all);
        }

        @JonoJob("one-by-one")
        void resizeEach(List<JobInBatch<Resize, Thumb>> all) throws Exception {
            for (JobInBatch<Resize, Thumb> each : all) {
                each.succeed(new Thumb(each.payload().file(), each.run().attempt()));
            }
        }
    }

    @Test
    void aMethodThatTakesAListRunsSeveralJobs() {
        try (QueueFactory outside = QueueFactory.connect("memory:job-batches")) {
            Jobs before = Jobs.on(outside);
            JobType<Resize, Void> type = JobType.of("in-batches", Resize.class);
            for (int i = 0; i < 7; i++) {
                before.enqueue(type, new Resize(i + ".png"));
            }
            Contexts.empty()
                    .withPropertyValues("jono.url=memory:job-batches", "jono.jobs.runner.concurrency=8")
                    .withBean(Batches.class)
                    .run(context -> {
                        List<List<Resize>> handled = context.getBean(Batches.class).handled;
                        await().atMost(Contexts.SOON)
                                .until(() ->
                                        handled.stream().mapToInt(List::size).sum() == 7);
                        assertThat(handled).allMatch(batch -> batch.size() <= 3).anyMatch(batch -> batch.size() > 1);
                        JobType<Resize, Thumb> each =
                                JobType.of("one-by-one", Resize.class).returning(Thumb.class);
                        assertThat(context.getBean(Jobs.class)
                                        .enqueue(each, new Resize("a.png"))
                                        .await(Contexts.SOON))
                                .isEqualTo(new Thumb("a.png", 1));
                    });
        }
    }

    static class NoList {
        @JonoJob(type = "single", batch = "3")
        void resize(Resize one) {}
    }

    @Test
    void aBatchNeedsAList() {
        Contexts.inMemory()
                .withBean(NoList.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("takes no list"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Declared {
        final AtomicInteger attempts = new AtomicInteger();

        @Bean
        JobType<Resize, Thumb> resizeType() {
            return RESIZE.maxAttempts(1);
        }

        @JonoJob("resize")
        Thumb resize(Resize resize) {
            attempts.incrementAndGet();
            throw new IllegalStateException("no such file");
        }

        @Bean
        JobDefinition<Integer, Integer> doubling() {
            return new JobDefinition<>(
                    JobType.of("double", Integer.class).returning(Integer.class), (number, run) -> 2 * number);
        }
    }

    @Test
    void typesAndHandlersCanBeBeans() {
        Contexts.inMemory().withUserConfiguration(Declared.class).run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.enqueue(JobType.of("double", Integer.class).returning(Integer.class), 4)
                            .await(Contexts.SOON))
                    .isEqualTo(8);
            String id = jobs.enqueue(RESIZE, new Resize("a.png")).id();
            await().atMost(Contexts.SOON).until(() -> jobs.get(id).orElseThrow().state() == JobState.FAILED);
            assertThat(context.getBean(Declared.class).attempts).hasValue(1);
        });
    }

    static class Reports {
        final AtomicInteger runs = new AtomicInteger();

        @JonoSchedule(cron = "*/1 * * * * *", name = "often")
        void often() {
            runs.incrementAndGet();
        }

        @JonoJob("report")
        @JonoSchedule(
                cron = "${report.cron}",
                zone = "Europe/Berlin",
                payload = "{\"file\": \"eu\"}",
                skipMissed = "true")
        void report(Resize region) {}

        @JonoSchedule(cron = "-")
        void never() {}
    }

    @Test
    void schedulesAreDeclaredAndRun() {
        Contexts.inMemory()
                .withPropertyValues("report.cron=0 2 * * MON-FRI")
                .withBean("reports", Reports.class)
                .run(context -> {
                    Jobs jobs = context.getBean(Jobs.class);
                    assertThat(jobs.schedules())
                            .extracting(ScheduleView::name, ScheduleView::type)
                            .containsExactly(
                                    org.assertj.core.groups.Tuple.tuple("often", "reports.often"),
                                    org.assertj.core.groups.Tuple.tuple("reports.report", "report"));
                    ScheduleView report = jobs.schedules().get(1);
                    assertThat(report.cron()).isEqualTo("0 2 * * MON-FRI");
                    assertThat(report.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
                    assertThat(report.skipsMissed()).isTrue();
                    assertThat(new String(report.payload().bytes(), java.nio.charset.StandardCharsets.UTF_8))
                            .contains("eu");
                    Reports bean = context.getBean(Reports.class);
                    await().atMost(Contexts.SOON).until(() -> bean.runs.get() > 0);
                    assertThat(jobs.find(JobQuery.ofType("reports.never")).jobs())
                            .isEmpty();
                });
    }

    static class WithoutPayload {
        @JonoSchedule(cron = "0 2 * * *")
        void run(Resize resize) {}
    }

    static class WrongZone {
        @JonoSchedule(cron = "0 2 * * *", zone = "Mars/Phobos")
        void run() {}
    }

    @Test
    void wrongJobMethodsFailAtStart() {
        Map<Class<?>, String> wrong = Map.of(
                WithoutPayload.class,
                "takes a payload",
                WrongZone.class,
                "zone is 'Mars/Phobos', expected a time zone");
        wrong.forEach((bean, message) -> Contexts.inMemory()
                .withBean(bean)
                .run(context -> assertThat(context.getStartupFailure()).hasMessageContaining(message)));
    }

    @Test
    void withoutJobMethodsNoRunnerStarts() {
        Contexts.inMemory()
                .run(context ->
                        assertThat(context.getBean(Jobs.class).runners()).isEmpty());
    }
}

package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** An application that is processed ahead of time: what a native image needs to know, and the generated context on the JVM. */
public class AheadOfTimeTest {
    record Pushed(String text) {}

    record Listened(String text) {}

    record Reserved(String text) {}

    record Batched(String text) {}

    record Job(String text) {}

    record Result(String text) {}

    public static class Shop {
        final List<Listened> listened = new CopyOnWriteArrayList<>();
        final MessageQueue<Pushed> pushed;

        public Shop(@JonoQueue("pushed") MessageQueue<Pushed> pushed) {
            this.pushed = pushed;
        }

        @JonoListener("listened")
        void listen(Listened payload) {
            listened.add(payload);
        }

        @JonoListener("reserved")
        void reserve(Reservation<Reserved> message) {}

        @JonoListener("batched")
        void batch(List<Batched> batch) {}

        @JonoJob("job")
        Result run(Job job) {
            return new Result(job.text());
        }

        @JonoSchedule(cron = "0 2 * * *")
        void nightly() {}
    }

    private static void configure(GenericApplicationContext context) {
        TestPropertyValues.of("jono.url=memory:ahead-of-time").applyTo(context);
    }

    private static GenericApplicationContext application() {
        AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
        configure(application);
        application.register(
                JonoAutoConfiguration.class,
                JonoJobsAutoConfiguration.class,
                JonoListenerAutoConfiguration.class,
                LifecycleAutoConfiguration.class,
                Shop.class);
        return application;
    }

    @TempDir
    static Path folder;

    private static ProcessedApplication processed;

    @BeforeAll
    static void process() {
        processed = new ProcessedApplication(folder, AheadOfTimeTest::application);
    }

    @ParameterizedTest
    @ValueSource(classes = {Pushed.class, Listened.class, Reserved.class, Batched.class, Job.class, Result.class})
    void payloadsAndResultsCanBecomeJson(Class<?> payload) throws Exception {
        ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();
        assertThat(processed.hints())
                .matches(reflection.onConstructorInvocation(payload.getDeclaredConstructors()[0]))
                .matches(reflection.onMethodInvocation(payload.getDeclaredMethod("text")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"listen", "reserve", "batch", "run", "nightly"})
    void methodsCanBeInvoked(String name) {
        assertThat(Shop.class.getDeclaredMethods())
                .filteredOn(method -> method.getName().equals(name))
                .singleElement()
                .satisfies(method -> assertThat(processed.hints())
                        .matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method)));
    }

    /** The files in Jono's jars that its code reads: all but classes, the testkit, and what users import elsewhere. */
    private static List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        for (Resource each : new PathMatchingResourcePatternResolver().getResources("classpath*:dev/jono/**")) {
            String url = each.getURL().toString();
            String file = url.substring(url.lastIndexOf("/dev/jono/") + 1);
            boolean folder = each.isFile() ? each.getFile().isDirectory() : file.endsWith("/");
            boolean read = !file.startsWith("dev/jono/testkit/") && !file.endsWith("/grafana-dashboard.json");
            if (!folder && !file.endsWith(".class") && read) {
                files.add(file);
            }
        }
        return files;
    }

    @Test
    void filesAreInTheImage() throws IOException {
        assertThat(files())
                .contains(
                        "dev/jono/backend/redisoq/claim.lua",
                        "dev/jono/backend/redislist/take.lua",
                        "dev/jono/jobs/redis/write.lua",
                        "dev/jono/stats/redis/use.lua",
                        "dev/jono/support/postgres/schema-1.sql",
                        "dev/jono/dashboard/dashboard.js")
                .allSatisfy(file -> assertThat(processed.hints())
                        .as(file)
                        .matches(RuntimeHintsPredicates.resource().forResource(file)));
    }

    @Test
    void theGeneratedContextWorks() throws Exception {
        processed.run(AheadOfTimeTest.class, "use");
    }

    /** Called in a class loader of its own. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // of the generated class
    public static void use(String initializer) throws Exception {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            configure(context);
            ApplicationContextInitializer generated = Class.forName(
                            initializer, true, Thread.currentThread().getContextClassLoader())
                    .asSubclass(ApplicationContextInitializer.class)
                    .getConstructor()
                    .newInstance();
            generated.initialize(context);
            context.refresh();
            Shop shop = context.getBean(Shop.class);
            shop.pushed.push(new Pushed("a"));
            assertThat(shop.pushed.size()).isOne();
            context.getBean(QueueFactory.class)
                    .queue("listened", Listened.class)
                    .push(new Listened("b"));
            await().atMost(Contexts.SOON).until(() -> shop.listened.equals(List.of(new Listened("b"))));
            Jobs jobs = context.getBean(Jobs.class);
            assertThat(jobs.enqueue(JobType.of("job", Job.class).returning(Result.class), new Job("c"))
                            .await(Contexts.SOON))
                    .isEqualTo(new Result("c"));
            assertThat(jobs.schedules()).hasSize(1);
        }
    }
}

package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.micrometer.HandleContext;
import dev.jono.micrometer.JonoMdc;
import dev.jono.micrometer.JonoMetrics;
import dev.jono.micrometer.OpenTelemetryPushConvention;
import dev.jono.micrometer.PushContext;
import dev.jono.micrometer.QueueDepths;
import dev.jono.micrometer.tracing.BatchLinks;
import dev.jono.spring.metrics.JonoMetricsAutoConfiguration;
import dev.jono.spring.metrics.JonoObservationAutoConfiguration;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Meters, observations and the logging context, where the application has {@code jono-micrometer}. */
class MetricsTest {
    private static ApplicationContextRunner context() {
        return Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(
                        JonoMetricsAutoConfiguration.class, JonoObservationAutoConfiguration.class))
                .withBean(Shop.class);
    }

    static class Shop {
        @JonoListener(queue = "orders")
        void order(String order) {}

        @JonoJob("mail")
        void mail(String to) {}
    }

    private static double count(MeterRegistry registry, String operation) {
        return registry.get("jono.messages")
                .tags("queue", "orders", "operation", operation)
                .counter()
                .count();
    }

    @Test
    void metersAreInTheRegistryOfTheApplication() {
        context().withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            MessageQueue<String> orders = context.getBean(QueueFactory.class).queue("orders", String.class);
            orders.push("a");
            await().atMost(Contexts.SOON).until(() -> orders.totalSize() == 0);
            assertThat(count(registry, "push")).isOne();
            assertThat(count(registry, "ack")).isOne();

            context.getBean(Jobs.class)
                    .enqueue(JobType.of("mail", String.class), "a")
                    .await(Contexts.SOON);
            assertThat(registry.get("jono.job.wait").timer().count()).isOne();
            await().atMost(Contexts.SOON)
                    .until(() -> registry.find("jono.job.duration").timer() != null);
        });
    }

    @Test
    void depthsAreReadFromTheStartEvenIfBeansAreLazy() {
        try (QueueFactory outside = QueueFactory.connect("memory:depths")) {
            outside.queue("waiting", String.class).push("a");
            context()
                    .withPropertyValues("jono.url=memory:depths")
                    .withInitializer(context ->
                            context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                    .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                    .run(context -> await().atMost(Contexts.SOON).until(() -> isReady(context)));
        }
    }

    private static boolean isReady(ApplicationContext context) {
        Gauge ready = context.getBean(MeterRegistry.class)
                .find("jono.queue.messages")
                .tags("queue", "waiting", "state", "ready")
                .gauge();
        return ready != null && ready.value() == 1;
    }

    @Test
    void aBeanOfTheApplicationConfiguresThem() {
        context()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(
                        JonoMetrics.class,
                        () -> JonoMetrics.builder(new SimpleMeterRegistry())
                                .queueTag(name -> "all")
                                .build())
                .run(context -> {
                    context.getBean(QueueFactory.class)
                            .queue("orders", String.class)
                            .push("a");
                    assertThat(context.getBean(MeterRegistry.class)
                                    .find("jono.messages")
                                    .counter())
                            .isNull();
                    assertThat(context).hasSingleBean(JonoMetrics.class);
                });
    }

    @Test
    void withoutARegistryThereAreNone() {
        context()
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(QueueDepths.class)
                        .doesNotHaveBean(BatchLinks.class));
    }

    @Test
    void withoutTheJarThereAreNone() {
        context()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withClassLoader(new FilteredClassLoader("dev.jono.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("jonoMetrics"));
    }

    /** Writes down what is observed. */
    static class Names implements ObservationHandler<Observation.Context> {
        final List<String> names = new CopyOnWriteArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            names.add(String.valueOf(context.getContextualName()));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof PushContext || context instanceof HandleContext;
        }
    }

    static class Convention extends OpenTelemetryPushConvention {
        @Override
        public String getContextualName(PushContext context) {
            return "my push";
        }
    }

    @Test
    void pushesAndHandlersAreObserved() {
        Names names = new Names();
        context()
                .withBean(ObservationRegistry.class, () -> {
                    ObservationRegistry registry = ObservationRegistry.create();
                    registry.observationConfig().observationHandler(names);
                    return registry;
                })
                .withBean(Convention.class)
                .withBean(Tracer.class, () -> Tracer.NOOP)
                .withBean(Propagator.class, () -> Propagator.NOOP)
                .run(context -> {
                    context.getBean(QueueFactory.class)
                            .queue("orders", String.class)
                            .push("a");
                    await().atMost(Contexts.SOON).until(() -> names.names.size() == 2);
                    assertThat(names.names).anyMatch("my push"::equals).anyMatch(name -> name.endsWith(" orders"));
                    assertThat(context).hasSingleBean(BatchLinks.class).hasSingleBean(JonoMdc.class);
                });
    }
}

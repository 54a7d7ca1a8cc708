package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.actuate.JonoEndpoint;
import dev.jono.spring.actuate.JonoEndpointAutoConfiguration;
import dev.jono.spring.actuate.JonoHealthAutoConfiguration;
import dev.jono.spring.redis.JonoRedisAutoConfiguration;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Endpoint, health and info. */
class ActuatorTest {
    private static ApplicationContextRunner with(ApplicationContextRunner runner) {
        return runner.withConfiguration(
                        AutoConfigurations.of(JonoEndpointAutoConfiguration.class, JonoHealthAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=*");
    }

    static class Shop {
        final CountDownLatch never = new CountDownLatch(1);

        @JonoListener(queue = "orders", id = "orders")
        void order(String order) {}

        @JonoListener(queue = "stuck", id = "stuck", maxRuntime = "50ms", concurrency = "1")
        void stuck(String message) {
            boolean done = false;
            while (!done) {
                try {
                    never.await();
                    done = true;
                } catch (InterruptedException ignored) {
                    // a handler that does not end
                }
            }
        }

        @JonoJob("mail")
        @JonoSchedule(cron = "0 2 * * *", name = "nightly")
        void mail() {}
    }

    @Test
    void theEndpointShowsAndControlsQueues() {
        with(Contexts.inMemory()).withBean(Shop.class).run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            JonoEndpoint endpoint = context.getBean(JonoEndpoint.class);
            MessageQueue<String> orders = jono.queue("orders", String.class);

            orders.push("a");
            await().atMost(Contexts.SOON).until(() -> orders.totalSize() == 0);
            assertThat(endpoint.act("queues", "orders", "pause")).hasToString(endpoint.entry("queues", "orders") + "");
            assertThat(orders.isPaused()).isTrue();
            orders.push("b");
            assertThat(String.valueOf(endpoint.entry("queues", "orders")))
                    .contains("ready=1")
                    .contains("paused=true");
            endpoint.act("queues", "orders", "resume");
            await().atMost(Contexts.SOON).until(() -> orders.totalSize() == 0);

            Assertions.assertThatThrownBy(() -> endpoint.act("queues", "orders", "destroy"))
                    .isInstanceOf(InvalidEndpointRequestException.class);
            assertThat(endpoint.overview()).containsOnlyKeys("queues", "listeners", "jobs", "schedules");
        });
    }

    @Test
    void theEndpointCountsMessagesOfAQueueByState() {
        with(Contexts.inMemory())
                .withPropertyValues("jono.queues.invoices.keyed=1")
                .run(context -> {
                    MessageQueue<String> invoices =
                            context.getBean(QueueFactory.class).queue("invoices", String.class);
                    PushOptions acme = PushOptions.none().key("acme");
                    invoices.pushAll(List.of("a", "b", "c"), acme);
                    invoices.pushAll(List.of("d", "e"));
                    invoices.push("f", PushOptions.delay(Duration.ofHours(1)));
                    assertThat(invoices.reserve(Duration.ZERO)).isPresent();
                    assertThat(String.valueOf(
                                    context.getBean(JonoEndpoint.class).entry("queues", "invoices")))
                            .contains("ready=2, scheduled=1, reserved=1, blocked=2");
                });
    }

    @Test
    void theEndpointShowsAndControlsJobsAndListeners() {
        with(Contexts.inMemory()).withBean(Shop.class).run(context -> {
            JonoEndpoint endpoint = context.getBean(JonoEndpoint.class);
            Jobs jobs = context.getBean(Jobs.class);
            jobs.enqueue(JobType.of("mail", Map.class), Map.of()).await(Contexts.SOON);
            endpoint.act("jobs", "mail", "pause");
            assertThat(jobs.isPaused("mail")).isTrue();
            endpoint.act("jobs", "mail", "resume");
            assertThat(jobs.isPaused("mail")).isFalse();

            assertThat(String.valueOf(endpoint.section("schedules"))).contains("nightly", "0 2 * * *");
            endpoint.act("schedules", "nightly", "pause");
            assertThat(jobs.schedules().get(0).isPaused()).isTrue();

            endpoint.act("listeners", "orders", "stop");
            assertThat(String.valueOf(endpoint.entry("listeners", "orders"))).contains("state=STOPPED");
            endpoint.act("listeners", "orders", "start");
            assertThat(String.valueOf(endpoint.entry("listeners", "orders"))).contains("state=RUNNING");
        });
    }

    @Test
    void jobsThatABackendDoesNotHaveAreNotAskedFor() {
        with(Contexts.empty())
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, JonoRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.url=" + RedisServer.sharedUri(),
                        "jono.backend=redis-list",
                        "jono.options.prefix=actuator:")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(JonoEndpoint.class).overview()).containsEntry("jobs", Map.of());
                    assertThat(health(context.getBean(HealthIndicator.class))).isEqualTo(Status.UP);
                });
    }

    private static Status health(HealthIndicator indicator) {
        Health health = indicator.health();
        assertThat(health).isNotNull();
        return health.getStatus();
    }

    @Test
    void healthIsUpWhateverWaits() {
        with(Contexts.inMemory()).run(context -> {
            context.getBean(QueueFactory.class)
                    .queue("orders", String.class)
                    .pushAll(java.util.Collections.nCopies(1000, "a"));
            assertThat(health(context.getBean(HealthIndicator.class))).isEqualTo(Status.UP);
        });
    }

    @Test
    void healthIsDownWithoutStorage() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            with(Contexts.empty())
                    .withPropertyValues("jono.url=redis-oq:" + server.uri())
                    .run(context -> {
                        HealthIndicator indicator = context.getBean(HealthIndicator.class);
                        assertThat(health(indicator)).isEqualTo(Status.UP);
                        server.shutdown();
                        assertThat(health(indicator)).isEqualTo(Status.DOWN);
                    });
        }
    }

    @Test
    void healthIsDownIfAListenerCanHandleNothing() {
        with(Contexts.inMemory())
                .withPropertyValues("jono.worker.stop-timeout=1ms")
                .withBean(Shop.class)
                .run(context -> {
                    HealthIndicator indicator = context.getBean(HealthIndicator.class);
                    context.getBean(QueueFactory.class)
                            .queue("stuck", String.class)
                            .push("a");
                    await().atMost(Contexts.SOON).until(() -> health(indicator).equals(Status.DOWN));
                    assertThat(String.valueOf(indicator.health())).contains("listener 'stuck' handles nothing");
                    context.getBean(Shop.class).never.countDown();
                    await().atMost(Contexts.SOON).until(() -> health(indicator).equals(Status.UP));
                });
    }

    @Test
    void infoNamesTheBackend() {
        with(Contexts.inMemory()).run(context -> {
            Info.Builder info = new Info.Builder();
            context.getBeansOfType(InfoContributor.class).values().forEach(contributor -> contributor.contribute(info));
            assertThat(String.valueOf(info.build().get("jono"))).contains("backend=memory");
        });
    }
}

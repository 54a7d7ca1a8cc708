package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.actuate.JonoEndpoint;
import dev.jono.spring.actuate.JonoEndpointAutoConfiguration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint shows and controls queues without messages and types without jobs, and says why there is no entry. */
class EmptyQueuesInActuatorTest {
    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Object checkout(@JonoQueue("injected") MessageQueue<String> injected) {
            return injected.name();
        }

        @Bean
        Warehouse warehouse() {
            return new Warehouse();
        }

        @Bean
        JobType<List<String>, Void> declared() {
            return JobType.of("declared", new dev.jono.TypeRef<List<String>>() {});
        }
    }

    static class Warehouse {
        @JonoListener(queue = "listened", id = "warehouse", autoStartup = "false")
        void ship(String order) {}

        @JonoJob("method")
        @JonoSchedule(cron = "0 2 * * *", name = "nightly")
        void count() {}
    }

    private static void withShop(BiConsumer<JonoEndpoint, QueueFactory> test) {
        Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(JonoEndpointAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=*", "jono.queues.configured.lease=1m")
                .withUserConfiguration(Shop.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context.getBean(JonoEndpoint.class), context.getBean(QueueFactory.class));
                });
    }

    private static String refusal(Object answer, int status) {
        return assertThat(answer)
                .asInstanceOf(InstanceOfAssertFactories.type(WebEndpointResponse.class))
                .satisfies(response -> assertThat(response.getStatus()).isEqualTo(status))
                .extracting(response -> String.valueOf(response.getBody()))
                .actual();
    }

    @ParameterizedTest
    @ValueSource(strings = {"injected", "listened", "configured", "__deadletter__"})
    void aQueueOfTheApplicationIsPausedAndResumedWhileItIsEmpty(String name) {
        withShop((endpoint, jono) -> {
            assertThat(endpoint.section("queues"))
                    .asInstanceOf(InstanceOfAssertFactories.ITERABLE)
                    .contains(name);
            assertThat(endpoint.entry("queues", name)).hasToString(endpoint.act("queues", name, "resume") + "");
            assertThat(endpoint.act("queues", name, "pause") + "").contains("ready=0", "paused=true");
            assertThat(jono.queue(name, String.class).isPaused()).isTrue();
            assertThat(endpoint.act("queues", name, "resume") + "").contains("ready=0", "paused=false");
            assertThat(jono.queue(name, String.class).isPaused()).isFalse();
        });
    }

    @Test
    void anEmptyQueueOfAnotherApplicationIsResumed() {
        withShop((endpoint, jono) -> {
            MessageQueue<String> foreign = jono.queue("foreign", String.class);
            foreign.pause();
            assertThat(endpoint.entry("queues", "foreign") + "").contains("paused=true");
            assertThat(endpoint.act("queues", "foreign", "resume") + "").contains("paused=false");
            assertThat(foreign.isPaused()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"declared", "method"})
    void aTypeOfTheApplicationIsPausedAndResumedWithoutJobs(String type) {
        withShop((endpoint, jono) -> {
            assertThat(endpoint.section("jobs"))
                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                    .containsEntry(type, Map.of());
            assertThat(endpoint.entry("jobs", type)).hasToString(endpoint.act("jobs", type, "resume") + "");
            assertThat(endpoint.act("jobs", type, "pause") + "").contains("counts={}", "paused=true");
            assertThat(Jobs.on(jono).isPaused(type)).isTrue();
            assertThat(endpoint.act("jobs", type, "resume") + "").contains("paused=false");
            assertThat(Jobs.on(jono).isPaused(type)).isFalse();
        });
    }

    @Test
    void aTypeOfAnotherApplicationIsResumedWithoutJobs() {
        withShop((endpoint, jono) -> {
            Jobs.on(jono).pause("foreign");
            assertThat(endpoint.act("jobs", "foreign", "resume") + "").contains("paused=false");
            assertThat(Jobs.on(jono).isPaused("foreign")).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "queues; pause; does not use it. The application uses [__deadletter__, configured, injected, listened]",
                "jobs; pause; does not define it. The application defines [declared, method]",
                "schedules; run; there is no schedule 'methodd'. There are [nightly]",
                "listeners; stop; there is no listener 'methodd' in this process. There are [jobs, warehouse]",
                "sections; pause; use one of [queues, listeners, jobs, schedules]",
            })
    void anAnswerSaysWhyThereIsNoEntry(String section, String action, String text) {
        withShop((endpoint, jono) -> {
            assertThat(refusal(endpoint.entry(section, "methodd"), 404)).contains(text);
            assertThat(refusal(endpoint.act(section, "methodd", action), 404)).contains(text);
            assertThat(jono.queue("methodd", String.class).isPaused()).isFalse();
            assertThat(Jobs.on(jono).isPaused("methodd")).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "queues; pause; queue name 'a b' is not allowed: 1 to 200 letters",
                "jobs; resume; 'a b'",
                "schedules; run; schedule name 'a b' is not allowed"
            })
    void anAnswerSaysWhichNamesAreAllowed(String section, String action, String text) {
        withShop((endpoint, jono) ->
                assertThat(refusal(endpoint.act(section, "a b", action), 400)).contains(text));
    }
}

package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.MessageQueue;
import dev.jono.Reservation;
import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration;
import dev.jono.spring.listener.ListenerEndpoint;
import dev.jono.spring.listener.ListenerSettings;
import jakarta.validation.Valid;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Payload;

/** What a developer reads about a mistake at a method, a parameter or a bean: where it is, what is wrong, and what to do. */
@ExtendWith(OutputCaptureExtension.class)
class DeclarationMistakesTest {
    record Order(int id) {}

    @ImportAutoConfiguration({
        JonoAutoConfiguration.class,
        JonoJobsAutoConfiguration.class,
        JonoListenerAutoConfiguration.class,
        LifecycleAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class Application {}

    private static void assertAnalyzed(Class<?> bean, String where, String problem, CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class, bean);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        assertThat(catchThrowable(() -> application.run("--jono.url=memory:"))).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(where)
                .contains(problem)
                .contains("Action:")
                .doesNotContain("Consider defining a bean");
    }

    static class NoRoom {
        @JonoListener(queue = "orders", concurrency = "0")
        void take(Order order) {}
    }

    static class NoPrefetch {
        @JonoListener(queue = "orders", prefetch = "-1")
        void take(Order order) {}
    }

    static class NoBatch {
        @JonoListener(queue = "orders", batch = "0")
        void take(List<Order> orders) {}
    }

    static class NoLease {
        @JonoListener(queue = "orders", lease = "0s")
        void take(Order order) {}
    }

    static class NoKey {
        @JonoListener(queue = "orders", key = "0")
        void take(Order order) {}
    }

    static class ManyOfAKey {
        @JonoListener(queue = "orders", key = "1001")
        void take(Order order) {}
    }

    static class NoQueue {
        @JonoListener
        void take(Order order) {}
    }

    static class WrongQueue {
        @JonoListener(queue = "a b")
        void take(Order order) {}
    }

    static class NoProperty {
        @JonoListener(queue = "${nope}")
        void take(Order order) {}
    }

    static class NoExpression {
        @JonoListener(queue = "#{nope.queue}")
        void take(Order order) {}
    }

    static class NoCodec {
        @JonoListener(queue = "orders", codec = "nope")
        void take(Order order) {}
    }

    static class NoErrorHandler {
        @JonoListener(queue = "orders", errorHandler = "nope")
        void take(Order order) {}
    }

    static class NoContainerFactory {
        @JonoListener(queue = "orders", containerFactory = "nope")
        void take(Order order) {}
    }

    static class SameIds {
        @JonoListener(queue = "orders")
        void take(Order order) {}

        @JonoListener(queue = "others")
        void take(String order) {}
    }

    static class TwoPayloads {
        @JonoListener("orders")
        void take(Order order, String tenant) {}
    }

    static class Ambiguous {
        @JonoListener("orders")
        void take(@Payload List<Order> orders) {}
    }

    static class ListAndMore {
        @JonoListener("orders")
        void take(List<Order> orders, String tenant) {}
    }

    static class Unchecked {
        @JonoListener("orders")
        void take(@Valid Reservation<Order> order) {}
    }

    static class UncheckedElements {
        @JonoListener(queue = "orders", batch = "false")
        void take(@Valid List<Order> orders) {}
    }

    static class NoValidator {
        @JonoListener("orders")
        void take(@Valid Order order) {}
    }

    static class NoValidatorForBatches {
        @JonoListener("orders")
        void take(List<@Valid Order> orders) {}
    }

    static class NoValidatorForJobs {
        @JonoJob("orders")
        void take(@Valid Order order) {}
    }

    static class WrongEndpoint {
        @Bean
        ListenerEndpoint<Order> endpoint() {
            return ListenerEndpoint.of("shop", "orders", Order.class, (order, delivery) -> {})
                    .settings(ListenerSettings.none().withConcurrency(0));
        }
    }

    static class WrongType {
        @JonoJob("a b")
        void run(Order order) {}
    }

    static class NoAttempt {
        @JonoJob(type = "ship", maxAttempts = "0")
        void run(Order order) {}
    }

    static class NoTimeout {
        @JonoJob(type = "ship", timeout = "-1s")
        void run(Order order) {}
    }

    static class LargeBatch {
        @JonoJob(type = "ship", batch = "1000")
        void run(List<Order> orders) {}
    }

    static class SameTypes {
        @JonoJob("ship")
        void run(Order order) {}

        @JonoJob("ship")
        CompletableFuture<Void> again(Order order) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class NoCron {
        @JonoSchedule(cron = "nonsense")
        void run() {}
    }

    static class EmptyCron {
        @JonoSchedule(cron = "${nightly.cron:}")
        void run() {}
    }

    static class WrongName {
        @JonoSchedule(cron = "0 2 * * *", name = "a b")
        void run() {}
    }

    static class SameSchedules {
        @JonoSchedule(cron = "0 2 * * *", name = "nightly")
        void run() {}

        @JonoSchedule(cron = "0 3 * * *", name = "nightly")
        void again() {}
    }

    static class WrongZone {
        @JonoSchedule(cron = "0 2 * * *", zone = "Mars/Phobos")
        void run() {}
    }

    static class WrongPayload {
        @JonoSchedule(cron = "0 2 * * *", payload = "{")
        void run(Order order) {}
    }

    private static Arguments at(Class<?> bean, String method, String problem) {
        return Arguments.of(bean, bean.getName() + "." + method, problem);
    }

    static final List<Arguments> MISTAKES = List.of(
            at(NoRoom.class, "take", "concurrency is '0', expected 1 or more"),
            at(NoPrefetch.class, "take", "prefetch is '-1', expected 0 or more"),
            at(NoBatch.class, "take", "batch is '0', expected 1 or more"),
            at(NoLease.class, "take", "lease is 'PT0S'"),
            at(NoKey.class, "take", "key is '0', expected 1 or more"),
            at(ManyOfAKey.class, "take", "key is '1001'"),
            at(NoQueue.class, "take", "it names no queue"),
            at(WrongQueue.class, "take", "queue is 'a b'"),
            at(NoProperty.class, "take", "queue is '${nope}', which cannot be resolved"),
            at(NoExpression.class, "take", "queue is '#{nope.queue}', which cannot be resolved"),
            at(NoCodec.class, "take", "codec is 'nope', expected the name of a bean of type Codec"),
            at(NoErrorHandler.class, "take", "errorHandler is 'nope', expected the name of a bean"),
            at(NoContainerFactory.class, "take", "containerFactory is 'nope', expected the name of a bean"),
            at(SameIds.class, "take", "two listeners with the id"),
            at(TwoPayloads.class, "take", "two parameters for the payload"),
            at(Ambiguous.class, "take", "a list with @Payload can be a batch, or the payload of one message"),
            at(ListAndMore.class, "take", "two parameters for the payload"),
            at(Unchecked.class, "take", "@Valid would not check the payloads in dev.jono.Reservation"),
            at(UncheckedElements.class, "take", "@Valid would not check the payloads in java.util.List"),
            at(NoValidator.class, "take", "the application has no validator"),
            at(NoValidatorForBatches.class, "take", "the application has no validator"),
            at(NoValidatorForJobs.class, "take", "the application has no validator"),
            at(WrongType.class, "run", "type is 'a b': job type 'a b' is not allowed"),
            at(NoAttempt.class, "run", "maxAttempts is '0', expected 1 or more"),
            at(NoTimeout.class, "run", "timeout is 'PT-1S'"),
            at(LargeBatch.class, "run", "batch is '1000', expected at most 4"),
            at(SameTypes.class, "", "the job type 'ship' is that of"),
            at(NoCron.class, "run", "'nonsense' is not a cron expression"),
            at(EmptyCron.class, "run", "cron is empty"),
            at(WrongName.class, "run", "schedule name 'a b' is not allowed"),
            at(SameSchedules.class, "", "the schedule 'nightly' is that of"),
            at(WrongZone.class, "run", "zone is 'Mars/Phobos', expected a time zone"),
            at(WrongPayload.class, "run", "payload is '{', expected JSON"),
            Arguments.of(WrongEndpoint.class, "listener 'shop' of orders:", "concurrency"));

    @ParameterizedTest
    @FieldSource("MISTAKES")
    void theMethodAndTheAttributeAreNamed(Class<?> bean, String where, String problem, CapturedOutput output) {
        assertAnalyzed(bean, where, problem, output);
    }

    static class Unnamed {
        Unnamed(MessageQueue<Order> orders) {}
    }

    static class Qualified {
        Qualified(@Qualifier("orders") MessageQueue<Order> orders) {}
    }

    static class LookedUp {
        LookedUp(ObjectProvider<MessageQueue<Order>> orders) {
            orders.getObject();
        }
    }

    static class Unresolved {
        Unresolved(@JonoQueue("${nope}") MessageQueue<Order> orders) {}
    }

    static class RawQueue {
        @SuppressWarnings("rawtypes") // that is the mistake
        RawQueue(@JonoQueue("orders") MessageQueue orders) {}
    }

    static final List<Arguments> INJECTIONS = List.of(
            Arguments.of(Unnamed.class, "@JonoQueue(\"orders\") MessageQueue<Order> orders"),
            Arguments.of(Qualified.class, "@JonoQueue(\"orders\") MessageQueue<Order> orders"),
            Arguments.of(LookedUp.class, "@JonoQueue(\"orders\") MessageQueue<Order> orders"),
            Arguments.of(Unresolved.class, "@JonoQueue is '${nope}', which cannot be resolved"),
            Arguments.of(RawQueue.class, "the type of the payloads is missing"));

    @ParameterizedTest
    @FieldSource("INJECTIONS")
    void queuesAreInjectedByTheirNames(Class<?> bean, String text, CapturedOutput output) {
        assertAnalyzed(bean, bean.getSimpleName(), text, output);
    }

    static class OtherBean {
        OtherBean(Order order) {}
    }

    @Test
    void otherMissingBeansAreNotOurs(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Application.class, OtherBean.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        assertThat(catchThrowable(() -> application.run("--jono.url=memory:"))).isNotNull();
        assertThat(output).contains("Consider defining a bean").doesNotContain("@JonoQueue");
    }
}

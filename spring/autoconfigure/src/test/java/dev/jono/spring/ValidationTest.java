package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobNotSucceededException;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/** Payloads that are {@code @Valid} are checked with the validator of the application. */
class ValidationTest {
    record Order(@Positive int id) {}

    static class Shop {
        final List<Order> shipped = new CopyOnWriteArrayList<>();

        @JonoListener("orders")
        void ship(@Valid Order order) {
            shipped.add(order);
        }

        @JonoListener("parcels")
        void shipTogether(@Valid List<Order> orders) {
            shipped.addAll(orders);
        }

        @JonoJob("count")
        int count(@Valid Order order) {
            return order.id();
        }
    }

    static class Elements {
        final List<Order> shipped = new CopyOnWriteArrayList<>();

        @JonoListener("parcels")
        void shipTogether(List<@Valid Order> orders) {
            shipped.addAll(orders);
        }
    }

    /** What Spring MVC has for an application without a validator. */
    static class ChecksNothing implements Validator {
        @Override
        public boolean supports(Class<?> type) {
            return false;
        }

        @Override
        public void validate(Object target, Errors errors) {}
    }

    private static ApplicationContextRunner context() {
        return Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
                .withBean(Shop.class);
    }

    @Test
    void messagesThatAreNotValidAreDeadLetteredAtOnce() {
        context().run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            for (String queue : List.of("orders", "parcels")) {
                MessageQueue<Order> orders = jono.queue(queue, Order.class);
                orders.pushAll(List.of(new Order(-1), new Order(1)));
                await().atMost(Contexts.SOON).until(() -> orders.totalSize() == 0);
                Message<EncodedPayload> dead =
                        jono.deadLetters().pop(Duration.ZERO).orElseThrow();
                assertThat(dead.headers().string(Headers.DL_REASON)).isEqualTo("rejected");
                assertThat(dead.headers().string(Headers.DL_ERROR))
                        .contains("not valid")
                        .contains("id");
            }
            assertThat(context.getBean(Shop.class).shipped).containsExactly(new Order(1), new Order(1));
        });
    }

    @Test
    void elementsOfAListCanBeAnnotated() {
        Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
                .withBean(Elements.class)
                .run(context -> {
                    MessageQueue<Order> orders =
                            context.getBean(QueueFactory.class).queue("parcels", Order.class);
                    orders.pushAll(List.of(new Order(-1), new Order(1)));
                    await().atMost(Contexts.SOON).until(() -> orders.totalSize() == 0);
                    assertThat(context.getBean(Elements.class).shipped).containsExactly(new Order(1));
                });
    }

    @Test
    void withoutValidatorTheStartFails() {
        ApplicationContextRunner application = Contexts.inMemory().withBean(Shop.class);
        for (ApplicationContextRunner each :
                List.of(application, application.withBean("mvcValidator", Validator.class, ChecksNothing::new))) {
            each.run(context -> assertThat(context)
                    .getFailure()
                    .hasMessageContaining(Shop.class.getName() + ".")
                    .hasMessageContaining("spring-boot-starter-validation"));
        }
    }

    @Test
    void jobsThatAreNotValidFailAtOnce() {
        context().run(context -> {
            Jobs jobs = context.getBean(Jobs.class);
            JobType<Order, Integer> count = JobType.of("count", Order.class).returning(Integer.class);
            assertThat(jobs.enqueue(count, new Order(3)).await(Contexts.SOON)).isEqualTo(3);
            Assertions.assertThatThrownBy(
                            () -> jobs.enqueue(count, new Order(-3)).await(Contexts.SOON))
                    .isInstanceOf(JobNotSucceededException.class)
                    .hasMessageContaining("not valid");
        });
    }
}

package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.PushOptions;
import dev.jono.QueueClosedException;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

class QueuesTest {
    private static final Duration NOW = Duration.ZERO;

    record Order(int id) {}

    static class Checkout {
        final MessageQueue<Order> orders;
        final MessageQueue<List<String>> words;
        final ObjectProvider<MessageQueue<String>> lazy;

        Checkout(
                @JonoQueue("orders") MessageQueue<Order> orders,
                @JonoQueue("${shop.words}") MessageQueue<List<String>> words,
                @JonoQueue("lazy") ObjectProvider<MessageQueue<String>> lazy) {
            this.orders = orders;
            this.words = words;
            this.lazy = lazy;
        }
    }

    @Test
    void queuesAreInjectedByNameWithTheTypeOfThePayload() {
        Contexts.inMemory()
                .withPropertyValues("shop.words=words-of-the-shop")
                .withBean(Checkout.class)
                .run(context -> {
                    Checkout checkout = context.getBean(Checkout.class);
                    QueueFactory jono = context.getBean(QueueFactory.class);
                    checkout.orders.push(new Order(7));
                    checkout.words.push(List.of("a", "b"));
                    checkout.lazy.getObject().push("c");

                    assertThat(jono.queue("orders", Order.class).pop(NOW))
                            .map(Message::payload)
                            .hasValue(new Order(7));
                    assertThat(checkout.words.name()).isEqualTo("words-of-the-shop");
                    assertThat(checkout.words.pop(NOW)).map(Message::payload).hasValue(List.of("a", "b"));
                    assertThat(checkout.lazy.getObject().pop(NOW)).isPresent();
                });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Checkout.class)
    static class OwnQueue {
        @Bean
        MessageQueue<Order> orders(QueueFactory jono) {
            return jono.queue("own", Order.class);
        }
    }

    @Test
    void aBeanOfTheApplicationWithTheNameComesFirst() {
        Contexts.inMemory()
                .withPropertyValues("shop.words=words")
                .withUserConfiguration(OwnQueue.class)
                .run(context -> {
                    assertThat(context.getBean(Checkout.class).orders.name()).isEqualTo("own");
                    assertThat(context.getBean(Checkout.class).words.name()).isEqualTo("words");
                });
    }

    static class WithoutName {
        WithoutName(MessageQueue<Order> orders) {
            throw new AssertionError("injected " + orders);
        }
    }

    @Test
    void aQueueWithoutNameIsNotInjected() {
        Contexts.inMemory()
                .withBean(WithoutName.class)
                .run(context ->
                        assertThat(context).getFailure().rootCause().isInstanceOf(NoSuchBeanDefinitionException.class));
    }

    @Test
    void optionsComeFromThePropertiesOfTheQueue() {
        Contexts.inMemory()
                .withPropertyValues(
                        "jono.queue.lease=2m",
                        "jono.queues.slow.lease=1h",
                        "jono.queues.slow.max-deliveries=1",
                        "jono.queues.slow.dead-letter-queue=failed",
                        "jono.queues[a.b].keyed=1")
                .run(context -> {
                    QueueFactory jono = context.getBean(QueueFactory.class);
                    assertThat(leaseOf(jono.queue("other", String.class)))
                            .isBetween(Duration.ofSeconds(119), Duration.ofSeconds(125));
                    MessageQueue<String> slow = jono.queue("slow", String.class);
                    assertThat(leaseOf(slow)).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
                    slow.push("gives up at once");
                    slow.reserve(NOW).orElseThrow().retry();
                    assertThat(jono.queue("failed", String.class).size()).isOne();

                    MessageQueue<String> keyed = jono.queue("a.b", String.class);
                    keyed.pushAll(List.of("1", "2"), PushOptions.none().key("k"));
                    assertThat(keyed.reserve(NOW)).isPresent();
                    assertThat(keyed.reserve(NOW)).as("waits for the first").isEmpty();
                });
    }

    @Test
    void aPropertyOfOneQueueOverridesOnlyThatPropertyOfAllQueues() {
        Contexts.inMemory()
                .withPropertyValues("jono.queue.max-deliveries=1", "jono.queues.orders.dead-letter-queue=failed")
                .run(context -> {
                    QueueFactory jono = context.getBean(QueueFactory.class);
                    MessageQueue<String> orders = jono.queue("orders", String.class);
                    orders.push("gives up at once");
                    orders.reserve(NOW).orElseThrow().retry();
                    assertThat(jono.queue("failed", String.class).size()).isOne();
                });
    }

    private static Duration leaseOf(MessageQueue<String> queue) throws InterruptedException {
        queue.push("a");
        Reservation<String> reservation = queue.reserve(NOW).orElseThrow();
        return Duration.between(reservation.dueAt(), reservation.leaseEnd());
    }

    @Test
    void aWrongOptionNamesItsProperty() {
        Contexts.inMemory()
                .withPropertyValues("jono.queues.slow.lease=-5s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                invalid -> assertThat(invalid.getName()).isEqualTo("jono.queues.slow.lease")));
    }

    @Test
    void anUnknownPropertyIsRefused() {
        Contexts.inMemory()
                .withPropertyValues("jono.queue.leese=5s")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("jono.queue.leese"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Hooks {
        @Bean
        Interceptor tenant() {
            return new Interceptor() {
                @Override
                public OutgoingMessage push(OutgoingMessage message) {
                    return message.header("tenant", "acme");
                }
            };
        }

        @Bean
        QueueFactoryBuilderCustomizer limit() {
            return builder -> builder.queueOptions(
                    "small", dev.jono.QueueOptions.builder().maxPayloadBytes(10).build());
        }
    }

    @Test
    void interceptorsAndCustomizersOfTheApplicationAreUsed() {
        Contexts.inMemory().withUserConfiguration(Hooks.class).run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            MessageQueue<String> queue = jono.queue("small", String.class);
            queue.push("a");
            assertThat(queue.pop(NOW).orElseThrow().headers().string("tenant")).isEqualTo("acme");
            Assertions.assertThatThrownBy(() -> queue.push("far too long for this queue"))
                    .isInstanceOf(dev.jono.PayloadTooLargeException.class);
        });
    }

    @Test
    void theFactoryIsClosedWithTheContext() {
        QueueFactory[] jono = new QueueFactory[1];
        Contexts.inMemory().run(context -> jono[0] = context.getBean(QueueFactory.class));
        Assertions.assertThatThrownBy(() -> jono[0].queue("orders", String.class))
                .isInstanceOf(QueueClosedException.class);
    }

    @Test
    void aFactoryOfTheApplicationReplacesTheConfiguredOne() {
        QueueFactory own = QueueFactory.connect("memory:");
        Contexts.empty().withBean(QueueFactory.class, () -> own).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(QueueFactory.class)).isSameAs(own);
        });
    }
}

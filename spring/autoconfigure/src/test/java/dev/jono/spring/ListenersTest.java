package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Headers;
import dev.jono.Lease;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.spring.listener.JonoListenerConfigurer;
import dev.jono.spring.listener.ListenerContainer;
import dev.jono.spring.listener.ListenerContainerRegistry;
import dev.jono.spring.listener.ListenerEndpoint;
import dev.jono.spring.listener.ListenerSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.Header;

/** What methods with {@link JonoListener} get, and what becomes of their messages. */
class ListenersTest {
    record Order(int id, String item) {}

    private static final Order ORDER = new Order(7, "skates");

    /** What listeners have got. */
    abstract static class Heard {
        final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

        Object next() throws InterruptedException {
            Object next = heard.poll(10, TimeUnit.SECONDS);
            assertThat(next).as("heard in time").isNotNull();
            return next;
        }
    }

    private static MessageQueue<Order> orders(QueueFactory jono) {
        return jono.queue("orders", Order.class);
    }

    private static void awaitEmpty(MessageQueue<?> queue) {
        await().atMost(Contexts.SOON).until(() -> queue.totalSize() == 0);
    }

    static class Keyed extends Heard {
        final AtomicInteger running = new AtomicInteger();

        @JonoListener(queue = "payments", key = "1", concurrency = "4")
        void pay(Integer payment) {
            assertThat(running.incrementAndGet()).as("at once").isOne();
            heard.add(payment);
            running.decrementAndGet();
        }
    }

    @Test
    void messagesOfAKeyAreHandledInTheirOrder() {
        Contexts.inMemory().withBean(Keyed.class).run(context -> {
            MessageQueue<Integer> payments = context.getBean(QueueFactory.class)
                    .queue(
                            "payments",
                            Integer.class,
                            QueueOptions.builder().keyed().build());
            List<Integer> all = IntStream.range(0, 50).boxed().toList();
            payments.pushAll(all, PushOptions.none().key("customer-17"));
            awaitEmpty(payments);
            assertThat(List.<Object>copyOf(context.getBean(Keyed.class).heard)).isEqualTo(all);
        });
    }

    static class Payloads extends Heard {
        @JonoListener("orders")
        void order(Order order) {
            heard.add(order);
        }
    }

    @Test
    void aReturnAcks() {
        Contexts.inMemory().withBean(Payloads.class).run(context -> {
            MessageQueue<Order> queue = orders(context.getBean(QueueFactory.class));
            queue.push(ORDER);
            assertThat(context.getBean(Payloads.class).next()).isEqualTo(ORDER);
            awaitEmpty(queue);
        });
    }

    static class Everything extends Heard {
        @JonoListener("orders")
        void order(
                Order order,
                Reservation<Order> delivery,
                Headers headers,
                @Header("tenant") String tenant,
                @Header(name = "weight", required = false) @Nullable Double weight,
                @Header("priority") int priority,
                @Header(JonoHeaders.ATTEMPT) int attempt,
                @org.springframework.messaging.handler.annotation.Headers Map<String, Object> all) {
            heard.add(List.of(
                    order,
                    delivery.payload(),
                    String.valueOf(headers.get("id")),
                    tenant,
                    String.valueOf(weight),
                    priority,
                    attempt,
                    all.get(JonoHeaders.QUEUE)));
        }
    }

    @Test
    void parametersAreResolvedByTypeAndAnnotation() {
        Contexts.inMemory().withBean(Everything.class).run(context -> {
            orders(context.getBean(QueueFactory.class))
                    .push(
                            ORDER,
                            PushOptions.none()
                                    .header("tenant", "acme")
                                    .header("priority", 3)
                                    .header("id", "own"));
            assertThat(context.getBean(Everything.class).next())
                    .isEqualTo(List.of(ORDER, ORDER, "own", "acme", "null", 3, 1, "orders"));
        });
    }

    static class Native extends Heard {
        @JonoListener("orders")
        void message(Message<Order> message) {
            heard.add(message.payload());
        }

        @JonoListener("ids")
        void lease(Lease lease) {
            lease.ack();
            heard.add(lease.id());
        }

        @JonoListener("texts")
        void springMessage(org.springframework.messaging.Message<String> message, @Header("id") String id) {
            heard.add(message.getPayload() + id);
        }

        @JonoListener("bytes")
        void bytes(byte[] bytes) {
            heard.add(bytes.length);
        }
    }

    @Test
    void messagesLeasesAndBytesCanBeTaken() {
        Contexts.inMemory().withBean(Native.class).run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            Native bean = context.getBean(Native.class);
            orders(jono).push(ORDER);
            assertThat(bean.next()).isEqualTo(ORDER);
            String id = jono.queue("ids", String.class).push("a").id();
            assertThat(bean.next()).isEqualTo(id);
            jono.queue("texts", String.class).push("", PushOptions.none().header("id", "h"));
            assertThat(bean.next()).isEqualTo("h");
            jono.queue("bytes", dev.jono.Codec.bytes()).push(new byte[3]);
            assertThat(bean.next()).isEqualTo(3);
        });
    }

    static class Batches extends Heard {
        @JonoListener(queue = "orders", batch = "${shop.batch}", autoStartup = "false", id = "batches")
        void orders(List<Order> orders) {
            heard.add(orders);
        }

        @JonoListener(queue = "others", autoStartup = "false", id = "reservations")
        void reservations(List<Reservation<Order>> deliveries) {
            heard.add(deliveries.stream().map(Message::payload).toList());
        }
    }

    @Test
    void listsAreBatches() {
        Contexts.inMemory()
                .withPropertyValues("shop.batch=2")
                .withBean(Batches.class)
                .run(context -> {
                    QueueFactory jono = context.getBean(QueueFactory.class);
                    Batches bean = context.getBean(Batches.class);
                    ListenerContainerRegistry registry = context.getBean(ListenerContainerRegistry.class);
                    List<Order> three = List.of(ORDER, new Order(8, "poles"), new Order(9, "hat"));
                    orders(jono).pushAll(three);
                    jono.queue("others", Order.class).pushAll(three);

                    registry.container("batches").orElseThrow().start();
                    assertThat(bean.next()).isEqualTo(three.subList(0, 2));
                    assertThat(bean.next()).isEqualTo(three.subList(2, 3));
                    registry.container("reservations").orElseThrow().start();
                    assertThat(bean.next()).isEqualTo(three);
                    awaitEmpty(orders(jono));
                });
    }

    static class Failing extends Heard {
        @JonoListener("orders")
        void order(Order order, @Header(JonoHeaders.ATTEMPT) int attempt) {
            heard.add(attempt);
            if (attempt == 1) {
                throw new IllegalStateException("the carrier is away");
            }
        }
    }

    @Test
    void aThrowRetries() {
        Contexts.inMemory()
                .withPropertyValues("jono.queue.backoff.first=1ms")
                .withBean(Failing.class)
                .run(context -> {
                    orders(context.getBean(QueueFactory.class)).push(ORDER);
                    assertThat(context.getBean(Failing.class).next()).isEqualTo(1);
                    assertThat(context.getBean(Failing.class).next()).isEqualTo(2);
                    awaitEmpty(orders(context.getBean(QueueFactory.class)));
                });
    }

    static class Async extends Heard {
        final CompletableFuture<String> result = new CompletableFuture<>();

        @JonoListener("orders")
        CompletableFuture<String> order(Order order) {
            heard.add(order);
            return result;
        }
    }

    @Test
    void aFutureIsAwaitedBeforeTheAck() {
        Contexts.inMemory().withBean(Async.class).run(context -> {
            MessageQueue<Order> queue = orders(context.getBean(QueueFactory.class));
            queue.push(ORDER);
            Async bean = context.getBean(Async.class);
            bean.next();
            assertThat(queue.reservedSize()).isOne();
            bean.result.complete("done");
            awaitEmpty(queue);
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Handling {
        @Bean
        JonoListenerErrorHandler toFailed() {
            return (failure, deliveries) -> deliveries.forEach(delivery -> delivery.moveTo("failed"));
        }

        @JonoListener(queue = "orders", errorHandler = "toFailed")
        void order(Order order) {
            throw new IllegalStateException("no stock");
        }
    }

    @Test
    void anErrorHandlerDecides() {
        Contexts.inMemory().withUserConfiguration(Handling.class).run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            orders(jono).push(ORDER);
            awaitEmpty(orders(jono));
            assertThat(jono.queue("failed", Order.class).size()).isOne();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Programmatic {
        final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

        @Bean
        ListenerEndpoint<Order> declared() {
            return ListenerEndpoint.of("declared", "orders", Order.class, (order, delivery) -> heard.add(order))
                    .settings(ListenerSettings.none().withConcurrency(3));
        }

        @Bean
        JonoListenerConfigurer registered() {
            return registrar -> registrar.register(
                    ListenerEndpoint.ofBatch("registered", "others", Order.class, batch -> heard.add(batch.size())));
        }
    }

    @Test
    void endpointsCanBeBeansOrRegistered() {
        Contexts.inMemory().withUserConfiguration(Programmatic.class).run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            BlockingQueue<Object> heard = context.getBean(Programmatic.class).heard;
            orders(jono).push(ORDER);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(ORDER);
            jono.queue("others", Order.class).push(ORDER);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
            assertThat(context.getBean(ListenerContainerRegistry.class).containers())
                    .extracting(ListenerContainer::id, ListenerContainer::concurrency)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("declared", 3),
                            org.assertj.core.groups.Tuple.tuple("registered", 1));
        });
    }

    static class Placeholders {
        @JonoListener(queue = "${shop.queues}", id = "#{'sh' + 'op'}", concurrency = "${shop.concurrency:5}")
        void order(Order order) {}
    }

    @Test
    void attributesHavePlaceholdersAndExpressions() {
        Contexts.inMemory()
                .withPropertyValues("shop.queues=a, b")
                .withBean(Placeholders.class)
                .run(context -> {
                    ListenerContainer container = context.getBean(ListenerContainerRegistry.class)
                            .container("shop")
                            .orElseThrow();
                    assertThat(container.sources()).containsExactly("a", "b");
                    assertThat(container.concurrency()).isEqualTo(5);
                });
    }

    static class WrongNumber {
        @JonoListener(queue = "orders", concurrency = "many")
        void order(Order order) {}
    }

    static class TwoPayloads {
        @JonoListener("orders")
        void order(Order order, String tenant) {}
    }

    static class BatchWithoutList {
        @JonoListener(queue = "orders", batch = "10")
        void order(Order order) {}
    }

    static class SameIds {
        @JonoListener(queue = "orders", id = "same")
        void order(Order order) {}

        @JonoListener(queue = "orders", id = "same")
        void again(Order order) {}
    }

    @Test
    void wrongListenersFailAtStart() {
        Map<Class<?>, String> wrong = Map.of(
                WrongNumber.class, "concurrency is 'many', expected a number",
                TwoPayloads.class, "two parameters for the payload",
                BatchWithoutList.class, "takes no list",
                SameIds.class, "two listeners with the id 'same'");
        wrong.forEach((bean, message) -> Contexts.inMemory()
                .withBean(bean)
                .run(context -> assertThat(context.getStartupFailure()).hasMessageContaining(message)));
    }

    @Test
    void lazyInitializationStartsListenersAllTheSame() {
        Contexts.inMemory()
                .withInitializer(context -> context.addBeanFactoryPostProcessor(
                        new org.springframework.boot.LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Payloads.class)
                .run(context -> {
                    orders(context.getBean(QueueFactory.class)).push(ORDER);
                    awaitEmpty(orders(context.getBean(QueueFactory.class)));
                });
    }
}

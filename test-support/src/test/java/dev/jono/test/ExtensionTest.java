package dev.jono.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.QueueFactory;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the extension makes of tests that it must fail, and of settings. */
class ExtensionTest {
    static void reject(QueueFactory jono) throws Exception {
        MessageQueue<String> orders = jono.queue("orders", Codec.string());
        orders.push("skates");
        orders.reserve(Duration.ZERO).orElseThrow().reject("no such address");
    }

    @JonoTest
    static class LeavesADeadLetter {
        @Test
        void fails(QueueFactory jono) throws Exception {
            reject(jono);
        }

        @Test
        void allows(QueueFactory jono, JonoTester tester) throws Exception {
            reject(jono);
            tester.allowDeadLetters();
        }
    }

    @Test
    void deadLettersFailTheTest() {
        assertThat(Samples.run(LeavesADeadLetter.class))
                .anySatisfy(result -> assertThat(result)
                        .startsWith("fails(QueueFactory) FAILED")
                        .contains("the test has left 1 dead letters", "queue 'orders'", "no such address"))
                .contains("allows(QueueFactory, JonoTester) SUCCESSFUL");
    }

    static class LeavesAnAllowedDeadLetter {
        @RegisterExtension
        static final JonoExtension JONO = JonoExtension.create().allowDeadLetters();

        @Test
        void passes(QueueFactory jono) throws Exception {
            reject(jono);
        }
    }

    @Test
    void deadLettersCanBeAllowedForAClass() {
        assertThat(Samples.run(LeavesAnAllowedDeadLetter.class)).containsExactly("passes(QueueFactory) SUCCESSFUL");
    }

    @JonoTest
    static class FailsItself {
        @Test
        void fails(QueueFactory jono) throws Exception {
            reject(jono);
            throw new IllegalStateException("the test's own");
        }
    }

    @Test
    void failureOfTheTestComesFirst() {
        assertThat(Samples.run(FailsItself.class)).singleElement().asString().contains("the test's own");
    }

    @JonoTest
    static class TakesItTooEarly {
        @BeforeAll
        static void open(QueueFactory jono) {
            jono.queues();
        }

        @Test
        void neverRuns() {}
    }

    @Test
    void factoryIsOfOneTest() {
        assertThat(Samples.run(TakesItTooEarly.class)).isEmpty();
    }

    static class Configured {
        @RegisterExtension
        static final JonoExtension JONO = JonoExtension.create()
                .configure(factory -> factory.interceptor(new dev.jono.Interceptor() {
                    @Override
                    public OutgoingMessage push(OutgoingMessage message) {
                        return message.header("tenant", "acme");
                    }
                }))
                .configure(factory -> factory.namespace("shop"));

        @Test
        void passes(QueueFactory jono) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("skates");
            assertThat(orders.browse(null, 1).get(0).headers().string("tenant")).isEqualTo("acme");
        }
    }

    @Test
    void settingsOfTheFactoryCanBeChanged() {
        assertThat(Samples.run(Configured.class)).containsExactly("passes(QueueFactory) SUCCESSFUL");
    }

    @JonoTest
    static class StuckHandler {
        @Test
        void passes(QueueFactory jono, JonoTester tester) throws Exception {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            CountDownLatch begun = new CountDownLatch(1);
            jono.worker()
                    .from(orders, (order, delivery) -> {
                        begun.countDown();
                        new CountDownLatch(1).await();
                    })
                    .start();
            orders.push("skates");
            begun.await();
        }
    }

    @Test
    void handlerThatDoesNotEndIsInterrupted() {
        assertThat(Samples.run(StuckHandler.class)).singleElement().asString().endsWith("SUCCESSFUL");
    }

    @JonoTest
    static class OnTheUrlOfTheRun {
        @Test
        void storage(QueueFactory jono) {
            assertThat(jono.backend()).isEqualTo("sqlite");
        }

        @Test
        void clock(SettableClock clock, QueueFactory jono) throws Exception {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("skates", dev.jono.PushOptions.delay(Duration.ofHours(1)));
            assertThat(orders.pop(Duration.ZERO)).isEmpty();
            clock.advance(Duration.ofHours(1));
            assertThat(orders.pop(Duration.ZERO)).isPresent();
        }
    }

    @Test
    void parameterOfTheRunNamesTheStorage() {
        List<String> results =
                Samples.run(OnTheUrlOfTheRun.class, "jono.test.url", "sqlite:{dir}/queues.db?jono.durability=full");
        assertThat(results).hasSize(2).allMatch(result -> result.endsWith("SUCCESSFUL"));
    }
}

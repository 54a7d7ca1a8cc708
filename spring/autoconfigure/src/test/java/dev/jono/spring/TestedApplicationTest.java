package dev.jono.spring;

import static dev.jono.test.JobAssertions.assertThat;
import static dev.jono.test.JonoAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration;
import dev.jono.test.JonoTester;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.test.annotation.DirtiesContext;

/**
 * A test of an application with its context, as the guide shows it: the tester and the assertions of {@code jono-test} work on the factory of
 * the context, whose clock is a bean. The context is closed at the end, with a clock that stands still.
 */
@SpringBootTest(properties = {"jono.url=memory:?jono.history=1h", "jono.queues.orders.backoff.first=1m"})
@DirtiesContext
class TestedApplicationTest {
    @SpringBootConfiguration
    @ImportAutoConfiguration({
        JonoAutoConfiguration.class,
        JonoJobsAutoConfiguration.class,
        JonoListenerAutoConfiguration.class,
        LifecycleAutoConfiguration.class
    })
    static class Application {
        @Bean
        Shop shop(@JonoQueue("orders") MessageQueue<String> orders, @JonoQueue("mails") MessageQueue<String> mails) {
            return new Shop(orders, mails);
        }

        @Bean
        SettableClock clock() {
            return new SettableClock();
        }
    }

    static class Shop {
        final List<Integer> attempts = new CopyOnWriteArrayList<>();
        final MessageQueue<String> orders;
        final MessageQueue<String> mails;

        Shop(MessageQueue<String> orders, MessageQueue<String> mails) {
            this.orders = orders;
            this.mails = mails;
        }

        @JonoListener(queue = "orders")
        void ship(String order, @Header(JonoHeaders.ATTEMPT) int attempt) {
            attempts.add(attempt);
            if (order.equals("poles") && attempt == 1) {
                throw new IllegalStateException("the carrier is away");
            }
            mails.push("thanks for the " + order);
        }

        @JonoListener(queue = "mails")
        void send(String mail) {}

        @JonoJob("invoice")
        void invoice(String order) {}
    }

    private static final JobType<String, Void> INVOICE = JobType.of("invoice", String.class);

    @Autowired
    private Shop shop;

    private final QueueFactory jono;
    private final JonoTester tester;

    @Autowired
    TestedApplicationTest(QueueFactory jono, SettableClock clock) {
        this.jono = jono;
        this.tester = JonoTester.of(jono, clock);
    }

    @AfterEach
    void forget() {
        tester.awaitIdle();
        jono.queues().forEach(name -> jono.queue(name, String.class).deleteWithMessages());
        shop.attempts.clear();
    }

    @Test
    void listenersOfTheApplicationRunUntilTheyAreIdle() {
        shop.orders.push("skates");
        tester.awaitIdle();
        assertThat(shop.orders).isEmpty().hasPushedOnly("skates");
        assertThat(shop.mails).isEmpty().hasPushedOnly("thanks for the skates");
    }

    @Test
    void timePassesForListenersOfTheApplication() {
        shop.orders.push("poles");
        tester.awaitIdle();
        assertThat(shop.attempts).containsExactly(1);
        tester.advance(Duration.ofMinutes(2));
        assertThat(shop.attempts).containsExactly(1, 2);
    }

    @Test
    void jobsOfTheApplicationRun(@Autowired Jobs jobs) {
        JobHandle<Void> job = jobs.enqueue(INVOICE, "skates");
        tester.awaitIdle();
        assertThat(jobs).hasSucceeded(job.id());
    }
}

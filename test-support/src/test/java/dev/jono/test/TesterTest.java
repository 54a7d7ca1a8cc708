package dev.jono.test;

import static dev.jono.test.JonoAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.testkit.SettableClock;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** The tester and the assertions with a factory that the application has opened. */
class TesterTest {
    private static MessageQueue<String> orders(QueueFactory jono) {
        return jono.queue("orders", Codec.string());
    }

    @Test
    void workersRunUntilTheyAreIdle() {
        try (QueueFactory jono = QueueFactory.connect("memory:?jono.history=1h")) {
            MessageQueue<String> mails = jono.queue("mails", Codec.string());
            List<String> sent = new CopyOnWriteArrayList<>();
            jono.worker()
                    .concurrency(4)
                    .from(orders(jono), (order, delivery) -> mails.push("thanks for the " + order))
                    .from(mails, (mail, delivery) -> sent.add(mail))
                    .start();
            orders(jono).pushAll(List.of("skates", "poles"));
            JonoTester.of(jono).awaitIdle();
            assertThat(sent).hasSize(2);
            assertThat(mails).isEmpty().hasPushed("thanks for the poles");
        }
    }

    @Test
    void timePassesByTheClockOfTheFactory() {
        SettableClock clock = new SettableClock();
        try (QueueFactory jono = QueueFactory.builder("memory:").clock(clock).connect()) {
            MessageQueue<String> retried = jono.queue(
                    "orders",
                    Codec.string(),
                    QueueOptions.builder()
                            .backoff(Backoff.fixed(Duration.ofMinutes(1)))
                            .build());
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            jono.worker()
                    .from(retried, (order, delivery) -> {
                        attempts.add(delivery.attempt());
                        if (delivery.attempt() == 1) {
                            throw new IllegalStateException("the carrier is away");
                        }
                    })
                    .start();
            retried.push("skates");
            JonoTester.of(jono, clock).advance(Duration.ofMinutes(1));
            assertThat(attempts).containsExactly(1, 2);
        }
    }

    /** A test that is skipped would hide that its tester has no clock. */
    @Test
    void withoutAClockTimeCannotPass() {
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            assertThatThrownBy(() -> JonoTester.of(jono).advance(Duration.ofMinutes(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("JonoTester.of(factory, clock)");
        }
    }

    @Test
    void timeOfAServerCannotBeSet() {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + RedisServer.sharedUri())) {
            assertThatThrownBy(() -> JonoTester.of(jono, new SettableClock())).isInstanceOf(TestAbortedException.class);
            assertThatThrownBy(() -> JonoTester.of(jono).clock()).isInstanceOf(TestAbortedException.class);
        }
    }

    @Test
    void failureSaysThatConsumedMessagesNeedAHistory() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            orders(jono).push("skates");
            orders(jono).pop(Duration.ZERO);
            assertThatThrownBy(() -> assertThat(orders(jono)).hasPushed("skates"))
                    .hasMessageContaining("The history is empty")
                    .hasMessageContaining("jono.history");
            assertThatThrownBy(() -> assertThat(orders(jono)).hasPushedOnly("skates"))
                    .hasMessageContaining("jono.history");
            assertThatThrownBy(() -> assertThat(orders(jono)).pushed().hasSize(1))
                    .hasMessageContaining("jono.history");
        }
    }

    @Test
    void failureSaysWhereDeadLettersAre() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("memory:?jono.history=1h")) {
            orders(jono).pushAll(List.of("skates", "poles"));
            orders(jono).pop(Duration.ZERO);
            orders(jono).reserve(Duration.ZERO).orElseThrow().reject("no such address");
            assertThatThrownBy(() -> assertThat(orders(jono)).hasPushed("skates", "poles"))
                    .hasMessageContaining("JonoTester.deadLetters()")
                    .hasMessageNotContaining("history");
            assertThat(JonoTester.of(jono).deadLetters()).hasSize(1);
        }
    }
}

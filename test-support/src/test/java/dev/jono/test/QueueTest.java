package dev.jono.test;

import static dev.jono.test.JonoAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests as an application writes them. */
@JonoTest
class QueueTest {
    record Order(int id, String item) {}

    private static final Order SKATES = new Order(1, "skates");
    private static final Order POLES = new Order(2, "poles");

    private MessageQueue<Order> orders;
    private QueueFactory ofSetUp;

    @BeforeEach
    void open(QueueFactory jono) {
        ofSetUp = jono;
        orders = jono.queue("orders", Order.class);
    }

    @AfterEach
    void isTheSameFactory(QueueFactory jono, JonoTester tester) {
        assertThat(jono).isSameAs(ofSetUp).isSameAs(tester.factory());
    }

    @Test
    void pushedMessagesAreFound() {
        orders.push(SKATES, PushOptions.none().header("tenant", "acme"));
        orders.push(POLES, PushOptions.delay(Duration.ofHours(1)));
        assertThat(orders).hasPushed(POLES).hasPushed(SKATES, POLES).hasPushedOnly(POLES, SKATES);
        assertThat(orders).hasReady(1).hasScheduled(1);
        assertThat(orders)
                .pushed()
                .extracting(Message::headers)
                .contains(Headers.empty().with("tenant", "acme"));
    }

    @Test
    void consumedMessagesAreFoundToo() throws Exception {
        orders.pushAll(List.of(SKATES, POLES));
        orders.pop(Duration.ZERO);
        orders.reserve(Duration.ZERO).orElseThrow().ack();
        assertThat(orders).isEmpty().hasPushedOnly(SKATES, POLES);
        assertThat(orders).pushed().extracting(Message::payload).containsExactly(SKATES, POLES);
    }

    @Test
    void whatWasNotPushedIsNamed() {
        assertThat(orders).hasPushedNothing().isEmpty();
        orders.push(SKATES);
        assertThatThrownBy(() -> assertThat(orders).hasPushed(SKATES, SKATES))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("queue 'orders'")
                .hasMessageContaining("none of" + System.lineSeparator() + "  [Order[id=1, item=skates]]");
        assertThatThrownBy(() -> assertThat(orders).hasPushedOnly(POLES)).hasMessageContaining("poles");
        assertThatThrownBy(() -> assertThat(orders).hasPushedNothing()).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> assertThat(orders).isEmpty()).hasMessageContaining("ready 1");
        assertThatThrownBy(() -> assertThat(orders).hasReady(2)).hasMessageContaining("ready");
        assertThatThrownBy(() -> assertThat(orders).hasScheduled(1)).hasMessageContaining("scheduled");
    }

    @Test
    void workersRunUntilTheyAreIdle(QueueFactory jono, JonoTester tester) {
        MessageQueue<String> mails = jono.queue("mails", Codec.string());
        MessageQueue<String> unserved = jono.queue("unserved", Codec.string());
        List<String> sent = new CopyOnWriteArrayList<>();
        jono.worker()
                .concurrency(4)
                .from(orders, (order, delivery) -> mails.push("thanks for the " + order.item()))
                .from(mails, (mail, delivery) -> {
                    sent.add(mail);
                    unserved.push(mail);
                })
                .start();
        for (int i = 0; i < 50; i++) {
            orders.push(new Order(i, "skates " + i));
        }
        tester.awaitIdle();
        assertThat(sent).hasSize(50);
        assertThat(unserved).hasReady(50);
        assertThat(orders).isEmpty();
    }

    @Test
    void workerOfOneTestIsStopped(QueueFactory jono, JonoTester tester) {
        List<Order> shipped = new CopyOnWriteArrayList<>();
        orders.pushAll(List.of(SKATES, POLES));
        tester.runUntilIdle(jono.worker().from(orders, (order, delivery) -> shipped.add(order)));
        assertThat(shipped).containsExactly(SKATES, POLES);
        assertThat(jono.workers()).isEmpty();
    }

    @Test
    void waitThatFailsNamesTheQueue(QueueFactory jono, JonoTester tester) {
        CountDownLatch mayEnd = new CountDownLatch(1);
        jono.worker().from(orders, (order, delivery) -> mayEnd.await()).start();
        orders.pushAll(List.of(SKATES, POLES));
        assertThatThrownBy(() -> tester.awaitIdle(Duration.ofMillis(200)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("queue 'orders' has ready 1, scheduled 0, reserved 1")
                .hasMessageContaining("handlers work on 1 messages");
        mayEnd.countDown();
        tester.awaitIdle();
    }

    @Test
    void pausedQueueIsIdle(QueueFactory jono, JonoTester tester) {
        orders.pause();
        jono.worker().from(orders, (order, delivery) -> {}).start();
        orders.push(SKATES);
        tester.awaitIdle();
        assertThat(orders).hasReady(1);
    }

    @Test
    void timePassesInSteps(QueueFactory jono, JonoTester tester, SettableClock clock) {
        QueueOptions options = QueueOptions.builder()
                .backoff(Backoff.fixed(Duration.ofMinutes(1)))
                .build();
        MessageQueue<String> queue = jono.queue("retried", Codec.string(), options);
        Instant start = clock.wall();
        List<Duration> handled = new ArrayList<>();
        jono.worker()
                .from(queue, (text, delivery) -> {
                    handled.add(Duration.between(start, clock.wall()));
                    if (delivery.attempt() < 4) {
                        throw new IllegalStateException("the carrier is away");
                    }
                })
                .start();
        queue.push("a", PushOptions.delay(Duration.ofHours(5)));
        tester.advance(Duration.ofHours(6));
        assertThat(handled)
                .containsExactly(
                        Duration.ofMinutes(300),
                        Duration.ofMinutes(301),
                        Duration.ofMinutes(302),
                        Duration.ofMinutes(303));
        assertThat(clock.wall()).isEqualTo(start.plus(Duration.ofHours(6)));
    }

    @Test
    void scheduledMessagesCanBeMadeDue(JonoTester tester) throws Exception {
        orders.push(SKATES, PushOptions.delay(Duration.ofDays(1)));
        orders.push(POLES);
        assertThat(tester.makeDue(orders)).isEqualTo(1);
        assertThat(orders.pop(2, Duration.ZERO)).extracting(Message::payload).containsOnly(SKATES, POLES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"one", "another"})
    void eachTestHasAStorageOfItsOwn(String name, QueueFactory jono) {
        assertThat(jono.queues()).isEmpty();
        jono.queue(name, Codec.string()).push("a");
    }

    @Test
    void expectedDeadLettersAreTaken(QueueFactory jono, JonoTester tester) throws Exception {
        orders.push(SKATES);
        orders.reserve(Duration.ZERO).orElseThrow().reject("no such address");
        assertThat(tester.deadLetters())
                .singleElement()
                .extracting(message -> message.headers().string(Headers.DL_ERROR))
                .isEqualTo("no such address");
        assertThat(tester.takeDeadLetters()).hasSize(1);
        assertThat(jono.deadLetters().totalSize()).isZero();
    }

    @Nested
    class Inner {
        @Test
        void hasTheFactoryOfTheSetUp(QueueFactory jono) {
            assertThat(jono).isSameAs(ofSetUp);
        }

        @Test
        @JonoTest(failOnDeadLetters = false)
        void mayLeaveDeadLetters() throws Exception {
            orders.push(SKATES);
            orders.reserve(Duration.ZERO).orElseThrow().reject("no such address");
        }
    }
}

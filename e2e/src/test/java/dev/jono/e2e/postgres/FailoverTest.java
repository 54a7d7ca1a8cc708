package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StaleReservationException;
import dev.jono.e2e.faults.KeyedLoad;
import dev.jono.e2e.faults.Load;
import dev.jono.testkit.server.PostgresPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A primary that is killed, and a standby that takes its place. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FailoverTest {
    private static final int SOME = 10;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(20);

    /** No call fails, and what was acknowledged is done. */
    @Test
    void synchronousStandbyLosesAndDoublesNothing() {
        try (PostgresPair pair = PostgresPair.synchronous()) {
            String url = "postgres:" + pair.url();
            try (Load load = new Load(url);
                    KeyedLoad keyed = new KeyedLoad(url)) {
                load.awaitMore(SOME);
                keyed.awaitMore(SOME);
                pair.failOver();
                load.awaitMore(SOME);
                keyed.awaitMore(SOME);
                load.assertNothingIsLostOrDoubled();
                keyed.assertNothingIsLostAndOrderIsKept();
            }
            Leftovers.assertNone(pair.standby());
        }
    }

    private static QueueFactory connect(PostgresPair pair) {
        return QueueFactory.builder("postgres:" + pair.url())
                .queueDefaults(QueueOptions.builder()
                        .lease(LEASE)
                        .pollInterval(Duration.ofSeconds(1))
                        .build())
                .connect();
    }

    private static List<String> reserveAll(MessageQueue<String> queue) throws InterruptedException {
        List<String> payloads = new ArrayList<>();
        while (queue.totalSize() > 0) {
            for (Reservation<String> held : queue.reserve(SOME, SOON)) {
                payloads.add(held.payload());
                held.ack();
            }
        }
        return payloads;
    }

    /** The last changes are undone together: pushes are gone, acked messages come back, and reservations are stale. */
    @Test
    void asynchronousStandbyContinuesFromAnEarlierMoment() throws Exception {
        try (PostgresPair pair = PostgresPair.asynchronous();
                QueueFactory jono = connect(pair)) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b", "c"));
            Reservation<String> a = orders.reserve(SOON).orElseThrow();
            pair.awaitCaughtUp();
            pair.cutReplication();
            a.ack();
            Reservation<String> b = orders.reserve(SOON).orElseThrow();
            orders.push("lost");
            pair.failOver();

            assertThatThrownBy(b::ack).isInstanceOf(StaleReservationException.class);
            orders.push("d");
            assertThat(reserveAll(orders)).containsExactlyInAnyOrder("a", "b", "c", "d");
            assertThat(jono.deadLetters().totalSize()).isZero();
        }
    }

    @Test
    void keysContinueFromAnEarlierMoment() throws Exception {
        try (PostgresPair pair = PostgresPair.asynchronous();
                QueueFactory jono = connect(pair)) {
            MessageQueue<String> keyed = jono.queue(
                    "keyed", Codec.string(), QueueOptions.builder().keyed().build());
            PushOptions key = PushOptions.none().key("k");
            keyed.push("1", key);
            keyed.push("2", key);
            Reservation<String> first = keyed.reserve(SOON).orElseThrow();
            pair.awaitCaughtUp();
            pair.cutReplication();
            keyed.push("lost", key);
            first.ack();
            assertThat(keyed.pop(SOON)).map(Message::payload).contains("2");
            pair.failOver();

            keyed.push("3", key);
            assertThat(reserveAll(keyed)).containsExactly("1", "2", "3");
        }
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Capability;
import dev.jono.JonoClock;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The storage's clock decides. A client clock that is wrong by an hour changes nothing. */
abstract class ClockRules extends ContractCase {
    ClockRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** A client whose wall clock is wrong. The wall clock of the first client is right. */
    private QueueFactory clientWithWrongClock(int hours) {
        assumeTrue(storage().ownTime(), "the storage uses the clients' clock");
        orders().counts();
        JonoClock right = storage().clientClock();
        return connect(storage().client().clock(new JonoClock() {
            @Override
            public long wallMillis() {
                return right.wallMillis() + Duration.ofHours(hours).toMillis();
            }

            @Override
            public long nanos() {
                return right.nanos();
            }

            @Override
            public Timer schedule(long delayNanos, Runnable task) {
                return right.schedule(delayNanos, task);
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void delayOfAWrongClientIsNeitherEarlyNorLate(int hours) {
        requires(Capability.SCHEDULE);
        MessageQueue<String> wrong = orders(clientWithWrongClock(hours));
        CompletableFuture<Optional<Message<String>>> waiting = track(orders().popAsync(seconds(1_000)));
        long before = storage().clientClock().nanos();
        wrong.push("a", PushOptions.delay(seconds(4)));
        assertThat(passUntilDone("the message to be due", seconds(40), waiting)).isPresent();
        assertThat(Duration.ofNanos(storage().clientClock().nanos() - before)).isGreaterThanOrEqualTo(atLeast(4));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void wrongClientSeesWhatIsDueAndNoMore(int hours) throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> wrong = orders(clientWithWrongClock(hours));
        orders().push("now");
        orders().push("far away", PushOptions.delay(seconds(1_000)));
        assertThat(popAll(wrong)).containsExactly("now");
        orders().push("soon", PushOptions.delay(seconds(6)));
        CompletableFuture<Optional<Message<String>>> waiting = track(wrong.popAsync(seconds(900)));
        assertThat(passUntilDone("the message to be due", seconds(60), waiting).map(Message::payload))
                .contains("soon");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void leaseOfAWrongClientEndsInTime(int hours) throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> wrong = orders(clientWithWrongClock(hours));
        wrong.push("a");
        Reservation<String> held = wrong.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(6)))
                .get(0);
        pass(seconds(3));
        assertThat(orders().reserve(Duration.ZERO))
                .as("half of the lease is over")
                .isEmpty();
        held.extend(seconds(9));
        pass(seconds(4));
        assertThat(orders().reserve(Duration.ZERO)).as("extended").isEmpty();
        pass(seconds(6));
        reserved(orders()).ack();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void timesOfAMessageAreTheStorages(int hours) throws Exception {
        MessageQueue<String> wrong = orders(clientWithWrongClock(hours));
        orders().push("right");
        Instant right = popped(orders()).dueAt();
        wrong.push("wrong");
        assertThat(Duration.between(right, popped(wrong).dueAt()).abs()).isLessThan(Duration.ofMinutes(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void timeOfADeadLetterIsTheStorages(int hours) throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> wrong = orders(clientWithWrongClock(hours));
        orders().push("probe");
        Instant now = popped(orders()).dueAt();
        wrong.push("a");
        reserved(wrong).reject("no");
        String time = String.valueOf(popped(jono().deadLetters()).headers().get(dev.jono.Headers.DL_TIME));
        assertThat(Duration.between(now, Instant.parse(time)).abs()).isLessThan(Duration.ofMinutes(10));
    }

    @Test
    void hostClockSetBackAnHourLosesNothingAndHoldsNobodyUp() throws Exception {
        SettableClock clock = storage().clock().orElse(null);
        assumeTrue(clock != null, "the clock of a real storage cannot be set");
        MessageQueue<String> queue = orders();
        queue.push("before");
        CompletableFuture<Optional<Message<String>>> waiting =
                track(queue("idle").popAsync(Duration.ofSeconds(20)));
        clock.setWall(clock.wall().minus(Duration.ofHours(1)));
        queue.push("after");
        assertThat(passUntilDone("a wait of 20 s", Duration.ofSeconds(60), waiting))
                .isEmpty();
        CompletableFuture<Optional<Message<String>>> next = track(queue.popAsync(Duration.ofHours(3)));
        passUntil("the first message", Duration.ofHours(2), next::isDone);
        CompletableFuture<Optional<Message<String>>> last = track(queue.popAsync(Duration.ofHours(3)));
        passUntil("the second message", Duration.ofHours(2), last::isDone);
        assertThat(java.util.Set.of(
                        next.join().orElseThrow().payload(),
                        last.join().orElseThrow().payload()))
                .containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void hostClockSetBackAnHourLeavesReservationsSettleable() throws Exception {
        requires(Capability.RESERVE);
        SettableClock clock = storage().clock().orElse(null);
        assumeTrue(clock != null, "the clock of a real storage cannot be set");
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = reserved(queue);
        clock.setWall(clock.wall().minus(Duration.ofHours(1)));
        held.extend(Duration.ofSeconds(30));
        held.ack();
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void hostClockSetForthAnHourEndsNoWaitEarly() {
        SettableClock clock = storage().clock().orElse(null);
        assumeTrue(clock != null, "the clock of a real storage cannot be set");
        CompletableFuture<Optional<Message<String>>> waiting = track(orders().popAsync(Duration.ofSeconds(20)));
        clock.setWall(clock.wall().plus(Duration.ofHours(1)));
        clock.advance(Duration.ofSeconds(10));
        assertThat(waiting).isNotDone();
        assertThat(passUntilDone("a wait of 20 s", Duration.ofSeconds(60), waiting))
                .isEmpty();
    }
}

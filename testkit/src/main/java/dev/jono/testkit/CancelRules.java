package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ending a wait loses no message, and every message keeps its place. */
abstract class CancelRules extends ContractCase {
    /** How a wait is ended. */
    enum End {
        CANCEL,
        CANCEL_ALL,
        TIMEOUT,
        INTERRUPT,
        CLOSE
    }

    CancelRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** The storage has claimed the message, and the wait ends before the reply arrives. */
    @ParameterizedTest(name = "{0} of a waiting {1}")
    @CsvSource({
        "CANCEL, pop", "CANCEL_ALL, pop", "TIMEOUT, pop", "INTERRUPT, pop", "CLOSE, pop",
        "CANCEL, reserve", "CANCEL_ALL, reserve", "TIMEOUT, reserve", "INTERRUPT, reserve", "CLOSE, reserve"
    })
    void messageOnItsWayGoesBackToItsOldPlace(End end, String what) throws Exception {
        boolean reserves = what.equals("reserve");
        if (reserves) {
            requires(Capability.RESERVE);
        }
        Faults faults = new Faults();
        Call call = reserves ? Call.CLAIM : Call.TAKE;
        MessageQueue<String> remote = orders(client());
        String first = remote.push("a").id();
        remote.pushAll(List.of("b", "c"));
        QueueFactory client = client(faults);
        MessageQueue<String> queue = orders(client);
        faults.hold(call);
        Duration wait = end == End.TIMEOUT ? seconds(4) : seconds(1_000);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<? extends Optional<? extends Message<String>>> waiting = end == End.INTERRUPT
                ? inBackground(() -> {
                    waiter.set(Thread.currentThread());
                    return reserves ? queue.reserve(wait) : queue.pop(wait);
                })
                : reserves ? queue.reserveAsync(wait) : queue.popAsync(wait);
        awaitReal("the reply to be held back", () -> faults.held(call) > 0);
        CompletableFuture<?> closing = CompletableFuture.completedFuture(null);
        switch (end) {
            case CANCEL -> waiting.cancel(true);
            case CANCEL_ALL -> assertThat(queue.cancelAll()).isEqualTo(1);
            case INTERRUPT -> {
                Thread thread = waiter.get();
                assumeTrue(thread != null, "no thread");
                thread.interrupt();
            }
            case CLOSE ->
                closing = inBackground(() -> {
                    client.close();
                    return "closed";
                });
            default -> passUntil("the wait to time out", seconds(100), waiting::isDone);
        }
        awaitReal("the wait to end", waiting::isDone);
        faults.release(call);
        passUntil("the close to end", Duration.ofMinutes(1), closing::isDone);
        assertEndedWithNothing(end, waiting);
        awaitReal("the message to be back", () -> remote.counts().ready() == 3);
        Message<String> again = popped(remote);
        assertThat(again.payload()).isEqualTo("a");
        assertThat(again.id()).isEqualTo(first);
        assertThat(again.tries()).isZero();
        assertThat(popAll(remote)).containsExactly("b", "c");
    }

    private static void assertEndedWithNothing(
            End end, CompletableFuture<? extends Optional<? extends Message<String>>> waiting) {
        switch (end) {
            case CANCEL -> assertThat(waiting.isCancelled()).isTrue();
            case INTERRUPT -> assertThatThrownBy(waiting::join).hasCauseInstanceOf(InterruptedException.class);
            case CLOSE ->
                assertThat(waiting.handle((found, failure) -> failure != null || found.isEmpty())
                                .join())
                        .isTrue();
            default -> assertThat(waiting.join().isEmpty()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancelledWaitTakesNothingThatComesLater(boolean reserves) throws Exception {
        if (reserves) {
            requires(Capability.RESERVE);
        }
        MessageQueue<String> queue = orders();
        CompletableFuture<?> waiting = reserves ? queue.reserveAsync(seconds(1_000)) : queue.popAsync(seconds(1_000));
        assertThat(waiting.cancel(false)).isTrue();
        assertThatThrownBy(waiting::join).isInstanceOf(CancellationException.class);
        queue.push("a");
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void poppedMessagesThatAreRestoredComeAgainAtTheirOldPlace() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a", PushOptions.none().header("tenant", "acme"));
        queue.pushAll(List.of("b", "c", "d"));
        List<Message<String>> popped = queue.pop(3, Duration.ZERO);
        while (popped.size() < 3) { // a backend may return fewer at once
            popped = Stream.concat(popped.stream(), queue.pop(3 - popped.size(), Duration.ZERO).stream())
                    .toList();
        }
        assertThat(popAll(queue)).containsExactly("d");
        CompletableFuture<Optional<Message<String>>> other = track(orders().popAsync(seconds(1_000)));

        queue.restore(popped);

        Message<String> first = popped.get(0);
        Message<String> again =
                passUntilDone("the waiter to be woken", seconds(60), other).orElseThrow();
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.payload()).isEqualTo("a");
        assertThat(again.tries()).isZero();
        assertThat(again.headers()).isEqualTo(first.headers());
        assertThat(popAll(queue)).containsExactly("b", "c");
        assertThat(queue.stats().popped()).isEqualTo(4);
    }

    @Test
    void onlyWhatWasPoppedFromAQueueIsRestoredToIt() throws Exception {
        MessageQueue<String> queue = orders();
        MessageQueue<String> other = queue("others");
        queue.push("a");
        List<Message<String>> popped = List.of(popped(queue));
        assertThatThrownBy(() -> other.restore(popped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(popped.get(0).id());
        assertThat(other.totalSize()).isZero();
        queue.restore(popped);
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void timedOutWaitReturnsEmptyInTimeAndTakesNothingThatComesLater() throws Exception {
        MessageQueue<String> queue = orders();
        long before = storage().clientClock().nanos();
        CompletableFuture<Optional<Message<String>>> waiting = inBackground(() -> queue.pop(seconds(3)));
        assertThat(passUntilDone("the wait to end", seconds(60), waiting)).isEmpty();
        assertThat(Duration.ofNanos(storage().clientClock().nanos() - before)).isGreaterThanOrEqualTo(atLeast(3));
        queue.push("a");
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void cancelAllEndsTheWaitsOfThisObjectAlone() {
        MessageQueue<String> queue = orders();
        MessageQueue<String> sibling = orders();
        CompletableFuture<Optional<Message<String>>> one = track(queue.popAsync(seconds(1_000)));
        CompletableFuture<List<Message<String>>> two = track(queue.popAsync(5, seconds(1_000)));
        CompletableFuture<Optional<Message<String>>> other = track(sibling.popAsync(seconds(1_000)));
        assertThat(queue.cancelAll()).isEqualTo(2);
        awaitReal("both to end", () -> one.isDone() && two.isDone());
        assertThat(one.join()).isEmpty();
        assertThat(two.join()).isEmpty();
        assertThat(other).isNotDone();
        assertThat(sibling.cancelAll()).isEqualTo(1);
        assertThat(queue.cancelAll()).isZero();
    }

    @Test
    void interruptedWaitThrowsAndClearsTheFlag() {
        MessageQueue<String> queue = orders();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<Boolean> flagAfter = inBackground(() -> {
            waiter.set(Thread.currentThread());
            assertThatThrownBy(() -> queue.pop(seconds(1_000))).isInstanceOf(InterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        awaitReal("the wait to begin", () -> {
            Thread thread = waiter.get();
            return thread != null
                    && (thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        });
        Thread thread = waiter.get();
        assertThat(thread).isNotNull();
        thread.interrupt();
        assertThat(flagAfter.join()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wildCancellingLosesAndDoublesNothing(boolean reserves) throws Exception {
        if (reserves) {
            requires(Capability.RESERVE);
        }
        MessageQueue<String> queue = orders();
        Random random = new Random(42);
        List<String> got = java.util.Collections.synchronizedList(new ArrayList<>());
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            CompletableFuture<?> waiting = reserves ? reserving(queue, got) : popping(queue, got);
            pushed.add("m" + i);
            queue.pushAsync("m" + i);
            if (random.nextBoolean()) {
                queue.cancelAll();
            } else if (random.nextBoolean()) {
                waiting.cancel(true);
            }
        }
        queue.cancelAll();
        awaitReal("everything to be handed out or back", () -> got.size() + queue.size() == 300);
        got.addAll(popAll(queue));
        assertThat(got).containsExactlyInAnyOrderElementsOf(pushed);
    }

    private static CompletableFuture<?> popping(MessageQueue<String> queue, List<String> got) {
        CompletableFuture<List<Message<String>>> waiting = queue.popAsync(3, Duration.ofHours(1));
        waiting.thenAccept(found -> found.forEach(m -> got.add(m.payload())));
        return waiting;
    }

    private static CompletableFuture<?> reserving(MessageQueue<String> queue, List<String> got) {
        CompletableFuture<List<Reservation<String>>> waiting =
                queue.reserveAsync(3, Duration.ofHours(1), ReserveOptions.none());
        waiting.thenAccept(found -> found.forEach(r -> {
            r.ack();
            got.add(r.payload());
        }));
        return waiting;
    }
}

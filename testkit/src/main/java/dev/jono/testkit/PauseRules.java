package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** After the signal of a pause no claim starts in any process that shares signaller and stats. Producers continue. */
abstract class PauseRules extends ContractCase {
    PauseRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void pausedQueueGivesNothingInAnyClient() throws Exception {
        MessageQueue<String> local = orders();
        MessageQueue<String> remote = orders(client());
        local.push("a");
        local.pause();
        assertThat(local.isPaused()).isTrue();
        assertThat(remote.isPaused()).isTrue();
        assertThat(local.pop(Duration.ZERO)).isEmpty();
        assertThat(remote.pop(Duration.ZERO)).isEmpty();
        if (declared(Capability.RESERVE)) {
            assertThat(remote.reserve(Duration.ZERO)).isEmpty();
        }
        remote.resume();
        assertThat(local.isPaused()).isFalse();
        // The signal of the pause may still be in flight, so this waits.
        CompletableFuture<Optional<Message<String>>> waiting = track(local.popAsync(seconds(1_000)));
        awaitReal("the signal", waiting::isDone);
        assertThat(waiting.join().map(Message::payload)).contains("a");
    }

    /**
     * Returns a wait of the consumer that continues although a message is ready. The signal of the pause may take a
     * moment, and messages that are handed out before it arrives are allowed.
     */
    private CompletableFuture<Optional<Message<String>>> awaitPausedWait(
            MessageQueue<String> producer,
            MessageQueue<String> consumer,
            CompletableFuture<Optional<Message<String>>> started) {
        CompletableFuture<Optional<Message<String>>> waiting = started;
        for (int i = 0; i < 40; i++) {
            producer.push("m" + i);
            if (!endsSoon(waiting)) {
                return waiting;
            }
            waiting = track(consumer.popAsync(seconds(1_000)));
        }
        throw new AssertionError("the pause did not reach the waiting client");
    }

    private static boolean endsSoon(CompletableFuture<?> waiting) {
        try {
            waiting.get(250, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillWaiting) {
            return false;
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError("the wait failed", e);
        }
    }

    @Test
    void waitingCallsGoOnWaitingAndResumeWakesThem() {
        MessageQueue<String> local = orders();
        MessageQueue<String> remote = orders(client());
        CompletableFuture<Optional<Message<String>>> started = track(remote.popAsync(seconds(1_000)));
        local.pause();
        CompletableFuture<Optional<Message<String>>> waiting = awaitPausedWait(local, remote, started);
        local.push("more");
        pass(seconds(2));
        assertThat(waiting).isNotDone();
        assertThat(local.size()).as("producers continue").isEqualTo(2);
        local.resume();
        awaitReal("the signal", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void waitBegunDuringAPauseIsWokenByResume() {
        MessageQueue<String> local = orders();
        local.pause();
        local.push("a");
        CompletableFuture<Optional<Message<String>>> waiting =
                track(orders(client()).popAsync(seconds(1_000)));
        pass(seconds(2));
        assertThat(waiting).isNotDone();
        local.resume();
        awaitReal("the signal", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void waitDuringAPauseTimesOutAsEver() {
        orders().pause();
        orders().push("a");
        CompletableFuture<Optional<Message<String>>> waiting = track(orders().popAsync(seconds(3)));
        assertThat(passUntilDone("the wait to end", seconds(60), waiting)).isEmpty();
        orders().resume();
    }

    @Test
    void clientThatComesLaterIsPausedToo() throws Exception {
        orders().push("a");
        orders().pause();
        MessageQueue<String> late = orders(client());
        assertThat(late.isPaused()).isTrue();
        assertThat(late.pop(Duration.ZERO)).isEmpty();
        late.resume();
        assertThat(popped(late).payload()).isEqualTo("a");
    }

    @Test
    void pauseIsOfOneQueue() throws Exception {
        orders().pause();
        queue("other").push("a");
        assertThat(queue("other").isPaused()).isFalse();
        assertThat(popped(queue("other")).payload()).isEqualTo("a");
        orders().resume();
    }

    @Test
    void otherNamespacesAreNotPaused() throws Exception {
        QueueFactory elsewhere = connect(storage().client().namespace("Other"));
        orders().push("a");
        orders().pause();
        assertThat(orders(elsewhere).isPaused()).isFalse();
        assertThat(popped(orders(elsewhere)).payload()).isEqualTo("a");
        orders().resume();
    }

    @Test
    void reservationsMayBeSettledDuringAPause() throws Exception {
        requires(Capability.RESERVE);
        orders().pushAll(List.of("a", "b"));
        var first = reserved(orders());
        var second = reserved(orders());
        orders().pause();
        first.ack();
        second.release();
        assertThat(orders().size()).isEqualTo(1);
        orders().resume();
        assertThat(popped(orders()).payload()).isEqualTo("b");
    }

    @Test
    void whatWasReadAheadIsGivenBackUncounted() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders(client());
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        QueueFactory client = client();
        Worker worker = client.worker()
                .concurrency(1)
                .prefetch(4)
                .from(orders(client), (payload, delivery) -> {
                    handled.incrementAndGet();
                    go.await();
                })
                .start();
        queue.pushAll(List.of("a", "b", "c", "d", "e"));
        awaitReal("the worker to read ahead", () -> queue.counts().reserved() > 1 && handled.get() == 1);
        queue.pause();
        awaitReal("the read-ahead to be given back", () -> queue.counts().ready() == 4);
        assertThat(handled).hasValue(1);
        go.countDown();
        awaitReal("the running one to end", () -> queue.totalSize() == 4);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        queue.resume();
        List<Message<String>> rest = queue.pop(10, Duration.ZERO);
        assertThat(rest.stream().map(Message::payload)).containsExactly("b", "c", "d", "e");
        assertThat(rest).allMatch(m -> m.tries() == 0);
    }

    /**
     * A claim in flight may still bring a message to a call, but not to a worker, and nothing stays held during the
     * pause.
     */
    @Test
    void whatAWorkersClaimBringsDuringAPauseIsGivenBackUncounted() throws Exception {
        requires(Capability.RESERVE);
        orders().push("a");
        Faults faults = new Faults().hold(Call.CLAIM);
        QueueFactory client = client(faults);
        AtomicInteger handled = new AtomicInteger();
        Worker worker = client.worker()
                .from(orders(client), (payload, delivery) -> handled.incrementAndGet())
                .start();
        awaitReal("a claim", () -> orders().counts().reserved() == 1 && faults.held(Call.CLAIM) == 1);
        orders(client).pause();
        faults.release(Call.CLAIM);
        awaitReal(
                "the claimed message to be given back", () -> orders().counts().ready() == 1);
        assertThat(handled).hasValue(0);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        orders().resume();
        assertThat(popped(orders()).tries()).isZero();
    }

    /** A client that gets no signals of the others, because its signaller reaches only itself. */
    private MessageQueue<String> deaf(Duration pollInterval) {
        assumeTrue(
                storage().sharesStatsApartFromSignals(), "a client of this storage cannot share stats without signals");
        QueueFactory client = connect(storage().client().signaller("local:deaf-" + System.identityHashCode(this)));
        return orders(client, QueueOptions.builder().pollInterval(pollInterval).build());
    }

    @Test
    void lostPauseIsNoticedAtThePollInterval() {
        MessageQueue<String> deaf = deaf(seconds(5));
        CompletableFuture<Optional<Message<String>>> started = track(deaf.popAsync(seconds(1_000)));
        orders().pause();
        passUntil("the poll interval", seconds(30), passed(seconds(7)));
        CompletableFuture<Optional<Message<String>>> waiting = awaitPausedWait(deaf, deaf, started);
        passUntil("nothing to happen", seconds(30), passed(seconds(2)));
        assertThat(waiting).as("a wait in the client that got no signal").isNotDone();
        orders().resume();
        assertThat(passUntilDone("the lost resume to be repaired", seconds(30), waiting))
                .isPresent();
    }

    @Test
    void lostInsertIsNoticedAtThePollInterval() {
        MessageQueue<String> deaf = deaf(seconds(5));
        CompletableFuture<Optional<Message<String>>> waiting = track(deaf.popAsync(seconds(1_000)));
        pass(seconds(1));
        orders().push("a");
        assertThat(passUntilDone("the lost insert to be repaired", seconds(30), waiting))
                .isPresent();
    }

    private java.util.function.BooleanSupplier passed(Duration duration) {
        long end = storage().clientClock().nanos() + duration.toNanos();
        return () -> storage().clientClock().nanos() - end >= 0;
    }
}

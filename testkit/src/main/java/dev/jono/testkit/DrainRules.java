package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushResult;
import dev.jono.QueueClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * drain ends the use of one queue object: it refuses new pushes, completes pending ones, gives messages back, and ends
 * waits.
 */
abstract class DrainRules extends ContractCase {
    DrainRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void drainedObjectRefusesPushesAndItsSiblingsDoNot() throws Exception {
        MessageQueue<String> queue = orders();
        MessageQueue<String> sibling = orders();
        queue.push("a");
        assertThat(queue.drain(Duration.ofSeconds(5))).isTrue();
        assertThatThrownBy(() -> queue.push("b")).isInstanceOf(QueueClosedException.class);
        assertThatThrownBy(() -> queue.pushAsync("b").join()).hasCauseInstanceOf(QueueClosedException.class);
        sibling.push("c");
        assertThat(popAll(sibling)).containsExactly("a", "c");
    }

    @Test
    void drainCompletesThePendingPushes() {
        MessageQueue<String> queue = orders();
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            pushes.add(track(queue.pushAsync("m" + i)));
        }
        assertThat(queue.drain(Duration.ofSeconds(20))).isTrue();
        assertThat(pushes).allMatch(CompletableFuture::isDone);
        assertThat(pushes).noneMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(orders(client()).totalSize()).isEqualTo(2_000);
    }

    @Test
    void drainEndsTheWaitsOfThisObjectAlone() {
        MessageQueue<String> queue = orders();
        MessageQueue<String> sibling = orders();
        CompletableFuture<Optional<Message<String>>> waiting = track(queue.popAsync(seconds(1_000)));
        CompletableFuture<Optional<Message<String>>> other = track(sibling.popAsync(seconds(1_000)));
        CompletableFuture<Boolean> drained = inBackground(() -> queue.drain(seconds(5)));
        passUntil("the drain to end", seconds(60), drained::isDone);
        awaitReal("the wait to end", waiting::isDone);
        assertThat(waiting.handle((found, failure) -> failure != null || found.isEmpty())
                        .join())
                .isTrue();
        assertThat(other).isNotDone();
        orders(client()).push("a");
        // If the clock moved while a call was in flight, the engine estimates the storage's time a little too early.
        passUntil("the sibling to get it", seconds(10), other::isDone);
        assertThat(other.join()).isPresent();
    }

    @Test
    void drainGivesBackWhatIsOnItsWay() throws Exception {
        Faults faults = new Faults();
        MessageQueue<String> remote = orders();
        remote.pushAll(List.of("a", "b"));
        MessageQueue<String> queue = orders(client(faults));
        faults.hold(Call.TAKE);
        CompletableFuture<Optional<Message<String>>> waiting = track(queue.popAsync(seconds(1_000)));
        awaitReal("the reply to be held back", () -> faults.held(Call.TAKE) > 0);
        CompletableFuture<Boolean> drained = inBackground(() -> queue.drain(seconds(2)));
        passUntil("the drain to end", seconds(60), drained::isDone);
        faults.release(Call.TAKE);
        awaitReal("the wait to end", waiting::isDone);
        int handedOut = waiting.handle((found, failure) -> found != null && found.isPresent() ? 1 : 0)
                .join();
        awaitReal("the rest to be back", () -> remote.size() + handedOut == 2);
        assertThat(popAll(remote)).isEqualTo(List.of("a", "b").subList(handedOut, 2));
    }

    @Test
    void drainTellsWhenPushesAreStillPending() {
        Faults faults = new Faults().hold(Call.INSERT);
        MessageQueue<String> queue = orders(client(faults));
        CompletableFuture<PushResult> push = track(queue.pushAsync("a"));
        awaitReal("the push to be in flight", () -> faults.held(Call.INSERT) > 0);
        CompletableFuture<Boolean> drained = inBackground(() -> queue.drain(seconds(3)));
        assertThat(passUntilDone("the drain to end", seconds(9), drained)).isFalse();
        faults.release(Call.INSERT);
        awaitReal("the push to end", push::isDone);
    }

    @Test
    void drainTwiceIsHarmless() {
        MessageQueue<String> queue = orders();
        assertThat(queue.drain(Duration.ofSeconds(5))).isTrue();
        assertThat(queue.drain(Duration.ofSeconds(5))).isTrue();
    }
}

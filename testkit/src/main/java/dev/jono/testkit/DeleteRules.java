package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueNotEmptyException;
import dev.jono.StaleReservationException;
import dev.jono.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deleting queues: what prevents it, what it removes, and that concurrent pushes are not lost. */
abstract class DeleteRules extends ContractCase {
    private static final int PUSHERS = 3;
    private static final int EACH = 100;

    DeleteRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsDelete() {
        requires(Capability.DELETE);
    }

    @Test
    void deletedQueueIsGoneForEverybody() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        popped(queue);
        queue.delete();
        assertThat(client().queues()).doesNotContain("orders");
        assertThat(queue.counts().total()).isZero();
        assertThat(queue.stats().pushed()).isZero();
        assertThat(client().queues()).as("after a read").doesNotContain("orders");
        queue.delete();
    }

    @Test
    void messagesAreInTheWayAndTheErrorTellsHowMany() throws Exception {
        requires(Capability.RESERVE, Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("held", "ready"));
        queue.push("later", PushOptions.delay(seconds(1_000)));
        var held = reserved(queue);
        QueueNotEmptyException refused = catchThrowableOfType(QueueNotEmptyException.class, queue::delete);
        assertThat(refused).isNotNull();
        assertThat(refused.messages()).isEqualTo(3);
        assertThat(refused.queue()).isEqualTo("orders");
        assertThat(refused).hasMessageContainingAll("'orders'", "3 messages", "delete the queue with them");
        assertThat(queue.purge()).isEqualTo(2);
        assertThatThrownBy(queue::delete)
                .isInstanceOf(QueueNotEmptyException.class)
                .hasMessageContaining("1 message ");
        held.ack();
        queue.delete();
        assertThat(jono().queues()).doesNotContain("orders");
    }

    @Test
    void whoHoldsAMessageOfADeletedQueueFindsItGone() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("held", "ready"));
        var held = reserved(queue);
        assertThat(orders(client()).deleteWithMessages()).isEqualTo(2);
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        assertThat(jono().queues()).doesNotContain("orders");
        assertThat(queue.deleteWithMessages()).isZero();
    }

    @Test
    void waitingConsumersGoOnAndTheNextPushMakesTheQueueAnew() throws Exception {
        MessageQueue<String> local = orders();
        MessageQueue<String> remote = orders(client());
        local.push("a");
        popped(remote);
        CompletableFuture<Optional<Message<String>>> localPop = track(local.popAsync(seconds(1_000)));
        local.delete();
        assertThat(localPop).isNotDone();
        remote.push("b");
        awaitReal("the message after the delete", localPop::isDone);
        assertThat(localPop.join()).isPresent();
        CompletableFuture<Optional<Message<String>>> remotePop = track(remote.popAsync(seconds(1_000)));
        local.delete();
        local.push("c");
        awaitReal("the message after another delete", remotePop::isDone);
        assertThat(remotePop.join()).isPresent();
    }

    @Test
    void pauseEndsWithTheQueueAlsoForThoseWhoWait() throws Exception {
        MessageQueue<String> local = orders();
        MessageQueue<String> remote = orders(client());
        local.push("a");
        popped(remote);
        local.pause();
        CompletableFuture<Optional<Message<String>>> waiting = track(remote.popAsync(seconds(1_000)));
        pass(seconds(1));
        local.delete();
        assertThat(local.isPaused()).isFalse();
        local.push("b");
        awaitReal("the message after the delete", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void countsBeginAtZeroAndWhatEndsLateMakesNothingAnew() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        Worker worker = jono().worker().from(queue, (payload, delivery) -> {}).start();
        queue.pushAll(List.of("a", "b", "c"));
        awaitReal("the messages to be handled", () -> queue.totalSize() == 0);
        queue.delete();
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(queue.stats().pushed()).isZero();
        assertThat(queue.stats().reserved()).isZero();
        assertThat(queue.stats().acked()).as("acked late").isZero();
        queue.push("d");
        reserved(queue).ack();
        passUntil("the counts anew", seconds(60), () -> queue.stats().acked() == 1);
        assertThat(queue.stats().pushed()).isEqualTo(1);
        assertThat(queue.stats().reserved()).isEqualTo(1);
    }

    @Test
    void uniqueKeysGoWithTheQueue() throws Exception {
        requires(Capability.DEDUPLICATE);
        PushOptions unique = PushOptions.none().unique("k", Duration.ofHours(1));
        PushOptions scoped = PushOptions.none().unique("scope", "k", Duration.ofHours(1));
        MessageQueue<String> queue = orders();
        queue.push("a", unique);
        queue.push("b", scoped);
        assertThat(queue.deleteWithMessages()).isEqualTo(2);
        assertThat(queue.push("c", unique).duplicate()).isFalse();
        assertThat(queue.push("d", unique).duplicate()).as("the new window").isTrue();
        assertThat(queue.push("e", scoped).duplicate()).as("the key of a scope").isTrue();
        assertThat(popAll(queue)).containsExactly("c");
    }

    @Test
    void theNextPushMakesAQueueWithOrderingKeysAnew() throws Exception {
        requires(Capability.KEYED, Capability.RESERVE);
        MessageQueue<String> queue = orders(jono(), KeyedCase.keyedOptions(1));
        queue.push("a", KeyedCase.key("k"));
        assertThat(queue.deleteWithMessages()).isOne();
        queue.push("b", KeyedCase.key("k"));
        queue.push("c", KeyedCase.key("k"));
        var first = reserved(queue);
        assertThat(queue.reserve(Duration.ZERO)).as("behind the first").isEmpty();
        first.ack();
        KeyedCase.assertHandedOut(queue, "c");
    }

    @Test
    void queuesThatAreUsedOnceAreLeftNowhere() throws Exception {
        for (int i = 0; i < 50; i++) {
            MessageQueue<String> once = queue("reply-" + i);
            once.push("a");
            popped(once);
            once.delete();
        }
        assertThat(client().queues()).noneMatch(name -> name.startsWith("reply-"));
    }

    /** Each client pushes and pops, while one of them deletes the queue again and again. */
    @Test
    void pushesOfOthersAreNotLostToADelete() {
        List<CompletableFuture<?>> pushers = new ArrayList<>();
        ConcurrentLinkedQueue<String> pushed = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        for (int p = 0; p < PUSHERS; p++) {
            MessageQueue<String> queue = orders(client());
            String prefix = "p" + p + "-";
            pushers.add(inBackground(() -> {
                for (int i = 0; i < EACH; i++) {
                    queue.push(prefix + i);
                    pushed.add(prefix + i);
                    queue.pop(1, Duration.ZERO).forEach(m -> got.add(m.payload()));
                }
                return "pushed";
            }));
        }
        AtomicBoolean pushing = new AtomicBoolean(true);
        QueueFactory deleter = client();
        CompletableFuture<Integer> deletes = inBackground(() -> {
            int done = 0;
            while (pushing.get() || done == 0) {
                try {
                    orders(deleter).delete();
                    done++;
                } catch (QueueNotEmptyException refused) {
                    popAll(orders(deleter)).forEach(got::add);
                }
            }
            return done;
        });
        passUntil(
                "all to be pushed",
                Duration.ofMinutes(5),
                () -> pushers.stream().allMatch(CompletableFuture::isDone));
        pushers.forEach(CompletableFuture::join);
        pushing.set(false);
        assertThat(passUntilDone("the last delete", Duration.ofMinutes(5), deletes))
                .isPositive();
        assertThat(pushed).hasSize(PUSHERS * EACH);
        awaitAll(got, pushed);
        orders().delete();
    }

    private void awaitAll(ConcurrentLinkedQueue<String> got, ConcurrentLinkedQueue<String> pushed) {
        awaitReal("what is left", () -> {
            try {
                got.addAll(popAll(orders()));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return orders().totalSize() == 0;
        });
        assertThat(got).containsExactlyInAnyOrderElementsOf(pushed);
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.PushResult;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.RetryOutcome;
import dev.jono.StorageException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.InsertRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A mutating call whose reply is lost is repeated with its token and takes effect once, or is reported unknown. */
abstract class UnknownOutcomeRules extends ContractCase {
    UnknownOutcomeRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private <R> R ended(String what, java.util.concurrent.Callable<R> call) {
        return passUntilDone(what, Duration.ofSeconds(9), inBackground(call));
    }

    @Test
    void pushWhoseReplyIsLostIsStoredOnce() {
        requiresRepeatable();
        Faults faults = new Faults().loseReplies(Call.INSERT, 3);
        MessageQueue<String> queue = orders(client(faults));
        PushResult result = ended("the push", () -> queue.push("a"));
        assertThat(queue.totalSize()).isEqualTo(1);
        assertThat(faults.calls(Call.INSERT)).isEqualTo(4);
        assertThat(faults.requests(Call.INSERT).stream()
                        .map(r -> ((InsertRequest) r).token())
                        .distinct())
                .as("tokens of the call and of its repetitions")
                .hasSize(1);
        assertThat(result.id()).isNotEmpty();
    }

    /** Refuses a number of calls after the first one, like a storage that is unreachable after it lost the reply. */
    private static Faults lostThenRefused(Call call, int times) {
        AtomicInteger seen = new AtomicInteger();
        return new Faults().loseReplies(call, 1).refuse(call, request -> {
            int number = seen.getAndIncrement();
            return number >= 1 && number <= times;
        });
    }

    @Test
    void pushWhoseReplyIsLostAndWhoseRepetitionIsRefusedIsStoredOnce() {
        requiresRepeatable();
        MessageQueue<String> queue = orders(client(lostThenRefused(Call.INSERT, 2)));
        ended("the pushes", () -> queue.pushAll(List.of("a", "b")));
        assertThat(queue.totalSize()).isEqualTo(2);
    }

    @Test
    void pushWhoseReplyIsLostAndWhoseRepetitionsAreRefusedToTheEndIsUnknown() {
        requiresRepeatable();
        Faults faults = lostThenRefused(Call.INSERT, Integer.MAX_VALUE);
        MessageQueue<String> queue = queue(
                client(faults),
                "orders",
                QueueOptions.builder().operationTimeout(seconds(3)).build());
        assertThatThrownBy(() -> ended("the pushes", () -> queue.pushAll(List.of("a", "b"))))
                .hasStackTraceContaining(OutcomeUnknownException.class.getName())
                .hasStackTraceContaining("orders");
        faults.accept(Call.INSERT);
        assertThat(queue.totalSize())
                .as("stored once, and not reported as not stored")
                .isEqualTo(2);
    }

    @Test
    void popWhoseReplyIsLostAndWhoseRepetitionIsRefusedFindsWhatItTook() {
        requiresRepeatable();
        MessageQueue<String> queue = orders(client(lostThenRefused(Call.TAKE, 2)));
        queue.push("a");
        assertThat(ended("the pop", () -> queue.pop(Duration.ofSeconds(5))).map(Message::payload))
                .contains("a");
        assertThat(queue.totalSize()).isZero();
    }

    /** The waiter has ended before the storage answers, so the taken messages must return to the queue. */
    @Test
    void popWhoseReplyIsLostForLongerThanTheOperationTimeoutLosesNothing() throws Exception {
        requiresRepeatable();
        Faults faults = lostThenRefused(Call.TAKE, Integer.MAX_VALUE);
        QueueOptions brief = QueueOptions.builder().operationTimeout(seconds(3)).build();
        MessageQueue<String> queue = orders(connect(builder(faults).queueDefaults(brief)));
        queue.push("a");
        CompletableFuture<Optional<Message<String>>> pop = inBackground(() -> queue.pop(seconds(100)));
        passUntil("a repetition", seconds(100), () -> faults.calls(Call.TAKE) > 1);
        queue.cancelAll();
        passUntil("the end of the wait", seconds(20), pop::isDone);
        pass(seconds(3));
        int before = faults.calls(Call.TAKE);
        passUntil("more repetitions", seconds(100), () -> faults.calls(Call.TAKE) > before + 1);
        faults.accept(Call.TAKE);
        MessageQueue<String> patient = orders(client());
        passUntil("the taken message to return", seconds(100), () -> patient.totalSize() == 1);
        assertThat(popped(patient).payload()).isEqualTo("a");
    }

    @Test
    void pushWhoseReplyIsLostIsStoredOnceEvenIfItsCopyIsConsumed() throws Exception {
        requiresRepeatable();
        Faults faults = new Faults().loseReplies(Call.INSERT, 2);
        MessageQueue<String> consumer = orders(client());
        CompletableFuture<Optional<Message<String>>> waiting = track(consumer.popAsync(Duration.ofMinutes(5)));
        PushResult result = ended("the push", () -> orders(client(faults)).push("a"));
        // A push sends its signal after the reply, so the consumer may have to check again.
        consumer.cancelAll();
        Optional<Message<String>> found = waiting.join();
        Message<String> message = found.isPresent() ? found.get() : popped(consumer);
        assertThat(message.id()).isEqualTo(result.id());
        assertThat(consumer.totalSize()).isZero();
    }

    @Test
    void claimWhoseReplyIsLostFindsWhatItClaimed() {
        requires(Capability.RESERVE);
        requiresRepeatable();
        Faults faults = new Faults().loseReplies(Call.CLAIM, 2);
        MessageQueue<String> queue = orders(client(faults));
        queue.push("a");
        Optional<Reservation<String>> found = ended("the reserve", () -> queue.reserve(Duration.ofSeconds(5)));
        assertThat(found).isPresent();
        assertThat(found.get().tries()).isZero();
        assertThat(faults.requests(Call.CLAIM).stream()
                        .map(r -> ((ClaimRequest) r).token())
                        .distinct())
                .hasSize(1);
        found.get().ack();
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void popWhoseReplyIsLostFindsWhatItTook() {
        requiresRepeatable();
        Faults faults = new Faults().loseReplies(Call.TAKE, 2);
        MessageQueue<String> queue = orders(client(faults));
        queue.push("a");
        assertThat(ended("the pop", () -> queue.pop(Duration.ofSeconds(5))).map(Message::payload))
                .contains("a");
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void ackWhoseReplyIsLostIsDone() throws Exception {
        requires(Capability.RESERVE);
        requiresRepeatable();
        Faults faults = new Faults().loseReplies(Call.ACK, 2);
        MessageQueue<String> queue = orders(client(faults));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        ended("the ack", () -> {
            held.ack();
            return "acked";
        });
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void retryWhoseReplyIsLostCountsOnce() throws Exception {
        requires(Capability.RESERVE);
        requiresRepeatable();
        Faults faults = new Faults().loseReplies(Call.RELEASE, 2);
        MessageQueue<String> queue = orders(client(faults));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        assertThat(ended("the retry", () -> held.retry(Duration.ZERO))).isEqualTo(RetryOutcome.RETRIED);
        Reservation<String> again = reserved(queue);
        assertThat(again.tries()).isEqualTo(1);
        again.ack();
    }

    @Test
    void moveWhoseReplyIsLostIsMadeOnce() throws Exception {
        requires(Capability.RESERVE, Capability.MOVE);
        requiresRepeatable();
        Faults faults = new Faults()
                .loseReplies(Call.MOVE, 2)
                .loseReplies(Call.INSERT, 0)
                .loseReplies(Call.ACK, 1);
        MessageQueue<String> queue = orders(client(faults));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        ended("the move", () -> {
            held.moveTo("elsewhere");
            return "moved";
        });
        assertThat(queue.totalSize()).isZero();
        assertThat(queue("elsewhere").totalSize()).isEqualTo(1);
    }

    @Test
    void backendThatCannotTellIsNeverRepeatedSilently() throws Exception {
        Faults faults = new Faults()
                .traits(t -> Faults.copy(t).repeatable(false).build())
                .loseReplies(Call.INSERT, 1);
        MessageQueue<String> queue = orders(client(faults));
        assertThatThrownBy(() -> queue.push("a")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(faults.calls(Call.INSERT)).isEqualTo(1);
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void ackThatCannotTellSaysSo() throws Exception {
        requires(Capability.RESERVE);
        Faults faults = new Faults()
                .traits(t -> Faults.copy(t).repeatable(false).build())
                .loseReplies(Call.ACK, 1);
        MessageQueue<String> queue = orders(client(faults));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        assertThatThrownBy(held::ack).isInstanceOf(OutcomeUnknownException.class);
        assertThat(faults.calls(Call.ACK)).isEqualTo(1);
    }

    @Test
    void pushThatIsNeverAnsweredIsUnknownAfterTheOperationTimeout() {
        Faults faults = new Faults().hold(Call.INSERT);
        MessageQueue<String> queue = queue(
                client(faults),
                "orders",
                QueueOptions.builder().operationTimeout(seconds(8)).build());
        CompletableFuture<PushResult> push = inBackground(() -> queue.push("a"));
        awaitReal("the push to be in flight", () -> faults.held(Call.INSERT) > 0);
        passUntil("the operation timeout", seconds(100), push::isDone);
        assertThatThrownBy(push::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("orders");
        faults.release(Call.INSERT);
        assertThat(queue.totalSize()).isEqualTo(1);
    }

    @Test
    void countThatIsNeverAnsweredIsAStorageExceptionAfterTheOperationTimeout() {
        Faults faults = new Faults().hold(Call.COUNTS);
        MessageQueue<String> queue = client(faults)
                .queue(
                        "other",
                        Codec.string(),
                        QueueOptions.builder().operationTimeout(seconds(8)).build());
        CompletableFuture<Long> count = inBackground(queue::totalSize);
        awaitReal("the count to be in flight", () -> faults.held(Call.COUNTS) > 0);
        passUntil("the operation timeout", seconds(100), count::isDone);
        assertThatThrownBy(count::join).hasCauseInstanceOf(StorageException.class);
    }

    @Test
    void storageThatCertainlyDidNothingIsAStorageException() {
        Faults faults = new Faults().refuse(Call.INSERT, request -> true);
        MessageQueue<String> queue = orders(client(faults));
        assertThatThrownBy(() -> queue.push("a")).isInstanceOf(StorageException.class);
        faults.accept(Call.INSERT);
        assertThat(queue.totalSize()).isZero();
    }
}

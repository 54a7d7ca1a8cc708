package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.JonoClock;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A message is never early, and late only by the time of a signal or a timer. The poll interval is ten hours in these
 * tests.
 */
abstract class ScheduleRules extends ContractCase {
    ScheduleRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsSchedule() {
        requires(Capability.SCHEDULE);
    }

    /** Waits for the message, and checks on the client's clock that it did not arrive early. */
    private void assertNotEarly(MessageQueue<String> queue, long sinceNanos, int delay) {
        CompletableFuture<Optional<Message<String>>> waiting = track(queue.popAsync(seconds(1_000)));
        Optional<Message<String>> found = passUntilDone("the message to be due", seconds(delay * 20), waiting);
        long elapsed = storage().clientClock().nanos() - sinceNanos;
        assertThat(found).isPresent();
        assertThat(Duration.ofNanos(elapsed)).isGreaterThanOrEqualTo(atLeast(delay));
    }

    @Test
    void delayedMessageIsNeverEarlyAndWakesAWaitingConsumerWithoutPolling() throws Exception {
        MessageQueue<String> queue = orders();
        JonoClock clock = storage().clientClock();
        long before = clock.nanos();
        queue.push("a", PushOptions.delay(seconds(5)));
        assertThat(queue.pop(Duration.ZERO)).isEmpty();
        assertNotEarly(queue, before, 5);
    }

    @Test
    void consumerThatWaitsAlreadyWakesAtMaturity() {
        MessageQueue<String> queue = orders();
        CompletableFuture<Optional<Message<String>>> waiting = track(queue.popAsync(seconds(1_000)));
        queue.push("a", PushOptions.delay(seconds(5)));
        assertThat(waiting).isNotDone();
        assertThat(passUntilDone("the message to be due", seconds(50), waiting)).isPresent();
    }

    @Test
    void consumerInAnotherClientWakesAtMaturity() {
        MessageQueue<String> remote = orders(client());
        CompletableFuture<Optional<Message<String>>> waiting = track(remote.popAsync(seconds(1_000)));
        orders().push("a", PushOptions.delay(seconds(5)));
        assertThat(passUntilDone("the message to be due", seconds(50), waiting)).isPresent();
    }

    @Test
    void consumerInAnotherClientWakesAtOnceForWhatIsDueNow() {
        MessageQueue<String> remote = orders(client());
        CompletableFuture<Optional<Message<String>>> waiting = track(remote.popAsync(seconds(1_000)));
        orders().push("a");
        awaitReal("the signal to wake it", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void earlierMessageWakesAConsumerThatSleepsTowardsALaterOne() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("late", PushOptions.delay(seconds(500)));
        CompletableFuture<Optional<Message<String>>> waiting = track(queue.popAsync(seconds(1_000)));
        queue.push("soon", PushOptions.delay(seconds(4)));
        Optional<Message<String>> found = passUntilDone("the earlier message", seconds(100), waiting);
        assertThat(found.map(Message::payload)).contains("soon");
        assertThat(queue.scheduledSize()).isEqualTo(1);
    }

    @Test
    void eachOfSeveralWaitersWakesForItsMessage() {
        MessageQueue<String> queue = orders();
        CompletableFuture<Optional<Message<String>>> one = track(queue.popAsync(seconds(1_000)));
        CompletableFuture<Optional<Message<String>>> two = track(queue.popAsync(seconds(1_000)));
        queue.push("first", PushOptions.delay(seconds(2)));
        queue.push("second", PushOptions.delay(seconds(6)));
        passUntil("both to be woken", seconds(100), () -> one.isDone() && two.isDone());
        assertThat(one.join()).isPresent();
        assertThat(two.join()).isPresent();
    }

    @Test
    void dueInstantIsRoundedUpToTheMillisecond() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("probe");
        Instant due = popped(queue).dueAt().minusSeconds(10).plusNanos(1);
        queue.push("a", PushOptions.at(due));
        assertThat(popped(queue).dueAt()).isAfterOrEqualTo(due);
    }

    @Test
    void retryWithADelayIsNeverEarly() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = reserved(queue);
        long before = storage().clientClock().nanos();
        held.retry(seconds(4));
        assertThat(queue.counts().scheduled()).isEqualTo(1);
        assertNotEarly(queue, before, 4);
    }

    @Test
    void releaseWithADelayIsNeverEarly() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = reserved(queue);
        long before = storage().clientClock().nanos();
        held.release(seconds(4));
        assertThat(queue.pop(Duration.ZERO)).isEmpty();
        assertNotEarly(queue, before, 4);
    }

    /** Zero is a valid due time, even if the storage layout has a later minimum. */
    @Test
    void dueTimeZeroIsShownWhereverTheMessageIs() throws Exception {
        requires(Capability.RESERVE, Capability.BROWSE);
        MessageQueue<String> queue = orders();
        queue.push("zero", PushOptions.at(Instant.EPOCH));
        queue.push("one", PushOptions.at(Instant.ofEpochMilli(1)));
        Instant due = queue.browse(null, 1).get(0).dueAt();
        assertThat(due).isBefore(Instant.parse("2002-01-01T00:00:00Z"));
        assertThat(queue.nextMaturity()).contains(due);
        assertThat(queue.oldestReadyAge().orElseThrow()).isGreaterThan(Duration.ofDays(365));
        Reservation<String> held = reserved(queue);
        assertThat(held.payload()).isEqualTo("zero");
        assertThat(held.dueAt()).isEqualTo(due);
        assertThat(queue.get(held.id()).orElseThrow().dueAt()).isEqualTo(due);
        held.release();
        assertThat(queue.nextMaturity()).contains(due);
        assertThat(queue.browse(null, 2)).extracting(BrowsedMessage::id).startsWith(held.id());
        List<Reservation<String>> both = queue.reserve(2, Duration.ZERO);
        assertThat(both).extracting(Message::payload).containsExactly("zero", "one");
        assertThat(both.get(0).dueAt()).isEqualTo(due);
        both.forEach(Reservation::ack);
    }

    @Test
    void farDueTimesAreKept() throws Exception {
        MessageQueue<String> queue = orders();
        Instant far = Instant.parse("9999-12-31T23:59:59Z");
        queue.push("a", PushOptions.at(far));
        assertThat(queue.pop(Duration.ZERO)).isEmpty();
        assertThat(queue.nextMaturity()).contains(far);
        assertThat(queue.scheduledSize()).isEqualTo(1);
    }
}

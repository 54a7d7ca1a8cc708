package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Due messages are handed out in the order of their due times, those with equal due times in the order of insertion.
 */
abstract class OrderRules extends ContractCase {
    OrderRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private static List<String> numbered(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
    }

    @Test
    void awaitedPushesLeaveInTheirOrder() throws Exception {
        MessageQueue<String> queue = orders();
        for (String payload : numbered(0, 60)) {
            queue.push(payload);
        }
        assertThat(popAll(queue)).isEqualTo(numbered(0, 60));
    }

    @Test
    void listsLeaveInTheirOrder() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAll(numbered(0, 40));
        queue.pushAll(numbered(40, 80));
        List<Message<String>> all = queue.pop(100, Duration.ZERO);
        assertThat(all.stream().map(Message::payload)).containsExactlyElementsOf(numbered(0, 80));
    }

    @Test
    void listLongerThanABatchOfTheStorageKeepsItsOrder() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAll(numbered(0, 2_500));
        List<String> got = new ArrayList<>();
        while (got.size() < 2_500) {
            List<Message<String>> some = queue.pop(2_500, Duration.ZERO);
            assertThat(some).as("after " + got.size()).isNotEmpty();
            some.forEach(m -> got.add(m.payload()));
        }
        assertThat(got).isEqualTo(numbered(0, 2_500));
    }

    @Test
    void asyncPushesThatAreNotAwaitedKeepTheirOrder() throws Exception {
        MessageQueue<String> queue = orders();
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (String payload : numbered(0, 1_000)) {
            pushes.add(track(queue.pushAsync(payload)));
        }
        pushes.forEach(CompletableFuture::join);
        assertThat(popAll(queue)).isEqualTo(numbered(0, 1_000));
    }

    @Test
    void reservationsComeInTheSameOrderAsPops() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.pushAll(numbered(0, 10));
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Reservation<String> one = reserved(queue);
            got.add(one.payload());
            one.ack();
        }
        List<Reservation<String>> rest = queue.reserve(10, Duration.ZERO);
        rest.forEach(r -> got.add(r.payload()));
        queue.ackAll(rest);
        assertThat(got).isEqualTo(numbered(0, 10));
    }

    @Test
    void dueTimesDecideTheOrder() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        queue.push("third", PushOptions.delay(seconds(6)));
        queue.push("first", PushOptions.delay(seconds(2)));
        queue.push("second", PushOptions.delay(seconds(4)));
        pass(seconds(7));
        assertThat(popAll(queue)).containsExactly("first", "second", "third");
    }

    @Test
    void tiesLeaveInTheOrderOfInsertion() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        Instant due = storageNow(queue).plus(seconds(2));
        queue.push("m0", PushOptions.at(due));
        queue.pushAll(numbered(1, 4), PushOptions.at(due));
        queue.push("m4", PushOptions.at(due));
        pass(seconds(5));
        assertThat(popAll(queue)).isEqualTo(numbered(0, 5));
    }

    @Test
    void whatMaturedEarlierLeavesBeforeWhatWasPushedLater() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        queue.push("early", PushOptions.delay(seconds(2)));
        pass(seconds(4));
        queue.push("late");
        assertThat(popAll(queue)).containsExactly("early", "late");
    }

    @Test
    void dueTimeInThePastIsDueAtOnceAheadOfOthers() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        Instant past = storageNow(queue).minus(Duration.ofHours(1));
        queue.push("now");
        queue.push("past", PushOptions.at(past));
        assertThat(popAll(queue)).containsExactly("past", "now");
    }

    @Test
    void releasedMessageGoesBackToItsOldPlace() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("a", "b", "c"));
        Reservation<String> held = reserved(queue);
        pass(seconds(1));
        held.release();
        assertThat(popAll(queue)).containsExactly("a", "b", "c");
    }

    @Test
    void expiredMessageKeepsItsPlace() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("a", "b", "c"));
        reserved(queue).extend(seconds(2));
        pass(seconds(3));
        assertThat(popAll(queue)).containsExactly("a", "b", "c");
    }

    @Test
    void retriedMessageGoesBehindWhatIsDueBefore() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("a", "b"));
        Reservation<String> failed = reserved(queue);
        pass(seconds(1));
        failed.retry(Duration.ZERO);
        assertThat(popAll(queue)).containsExactly("b", "a");
    }

    /** The storage's clock, read from the due time of a new message. */
    private Instant storageNow(MessageQueue<String> queue) throws InterruptedException {
        queue.push("probe");
        return popped(queue).dueAt();
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reading a queue without taking messages: counts, nextMaturity, browse, get. Also remove, purge, history, queues. */
abstract class LookRules extends ContractCase {
    LookRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void countsTellReadyScheduledAndReserved() throws Exception {
        requires(Capability.SCHEDULE, Capability.RESERVE);
        MessageQueue<String> queue = orders();
        assertThat(queue.counts()).isEqualTo(QueueCounts.of(0, 0, 0));
        queue.pushAll(List.of("a", "b", "c"));
        queue.push("later", PushOptions.delay(seconds(1_000)));
        Reservation<String> held = reserved(queue);
        assertThat(queue.counts()).isEqualTo(QueueCounts.of(2, 1, 1));
        assertThat(queue.size()).isEqualTo(2);
        assertThat(queue.scheduledSize()).isEqualTo(1);
        assertThat(queue.reservedSize()).isEqualTo(1);
        assertThat(queue.totalSize()).isEqualTo(4);
        held.ack();
        assertThat(orders(client()).counts()).isEqualTo(QueueCounts.of(2, 1, 0));
    }

    @Test
    void expiredReservationsCountAsReady() throws Exception {
        requires(Capability.RESERVE);
        orders().push("a");
        orders().reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2)));
        pass(seconds(3));
        assertThat(orders().counts()).isEqualTo(QueueCounts.of(1, 0, 0));
    }

    @Test
    void nextMaturityIsTheEarliestThatNobodyHolds() throws Exception {
        requires(Capability.SCHEDULE, Capability.RESERVE);
        MessageQueue<String> queue = orders();
        assertThat(queue.nextMaturity()).isEmpty();
        queue.push("now");
        Instant now = queue.nextMaturity().orElseThrow();
        Reservation<String> held = reserved(queue);
        assertThat(queue.nextMaturity()).isEmpty();
        assertThat(Duration.between(held.dueAt(), now).abs()).isLessThan(Duration.ofSeconds(20));
        Instant later = held.dueAt().plus(seconds(1_000));
        queue.push("later", PushOptions.at(later));
        queue.push("much later", PushOptions.at(later.plusSeconds(60)));
        assertThat(queue.nextMaturity()).contains(later);
        held.ack();
    }

    @Test
    void oldestReadyAgeGrows() {
        MessageQueue<String> queue = orders();
        assertThat(queue.oldestReadyAge()).isEmpty();
        queue.push("a");
        pass(seconds(3));
        queue.push("b");
        Duration age = queue.oldestReadyAge().orElseThrow();
        assertThat(age).isBetween(seconds(3), seconds(3).plusSeconds(20));
    }

    @Test
    void browseShowsEverythingInTheOrderOfDueTimesAndTakesNothing() throws Exception {
        requires(Capability.BROWSE, Capability.SCHEDULE, Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.push("later", PushOptions.delay(seconds(1_000)).header("tenant", "acme"));
        queue.pushAll(List.of("held", "ready"));
        Reservation<String> held = reserved(queue);
        List<BrowsedMessage<String>> all = queue.browse(null, 10);
        assertThat(all.stream().map(BrowsedMessage::payload)).containsExactly("held", "ready", "later");
        assertThat(all.stream().map(BrowsedMessage::state))
                .containsExactly(
                        BrowsedMessage.State.RESERVED, BrowsedMessage.State.READY, BrowsedMessage.State.SCHEDULED);
        assertThat(all.get(2).headers().get("tenant")).isEqualTo("acme");
        assertThat(queue.counts()).isEqualTo(QueueCounts.of(1, 1, 1));
        held.ack();
    }

    @Test
    void browseGoesOnBehindACursor() {
        requires(Capability.BROWSE);
        MessageQueue<String> queue = orders();
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 23; i++) {
            pushed.add("m" + i);
        }
        queue.pushAll(pushed);
        List<String> seen = new ArrayList<>();
        for (List<BrowsedMessage<String>> page = queue.browse(null, 5);
                !page.isEmpty();
                page = queue.browse(page.get(page.size() - 1).cursor(), 5)) {
            assertThat(page).hasSizeLessThanOrEqualTo(5);
            page.forEach(m -> seen.add(m.payload()));
        }
        assertThat(seen).isEqualTo(pushed);
    }

    @Test
    void getLooksAtOneMessage() throws Exception {
        requires(Capability.BROWSE);
        MessageQueue<String> queue = orders();
        String id = queue.push("a").id();
        BrowsedMessage<String> seen = queue.get(id).orElseThrow();
        assertThat(seen.payload()).isEqualTo("a");
        assertThat(seen.id()).isEqualTo(id);
        assertThat(seen.state()).isEqualTo(BrowsedMessage.State.READY);
        assertThat(queue.get("no-such-id")).isEmpty();
        popped(queue);
        assertThat(queue.get(id)).isEmpty();
    }

    @Test
    void removeTellsWhatItFound() throws Exception {
        requires(Capability.REMOVE, Capability.RESERVE);
        MessageQueue<String> queue = orders();
        String ready = queue.push("a").id();
        assertThat(queue.remove(ready)).isEqualTo(RemoveOutcome.REMOVED);
        assertThat(queue.remove(ready)).isEqualTo(RemoveOutcome.ABSENT);
        String other = queue.push("b").id();
        Reservation<String> held = reserved(queue);
        assertThat(queue.remove(other)).isEqualTo(RemoveOutcome.HELD);
        held.ack();
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void removeTakesScheduledMessages() {
        requires(Capability.REMOVE, Capability.SCHEDULE);
        String id = orders().push("a", PushOptions.delay(seconds(1_000))).id();
        assertThat(orders(client()).remove(id)).isEqualTo(RemoveOutcome.REMOVED);
        assertThat(orders().totalSize()).isZero();
    }

    @Test
    void purgeRemovesAllThatNobodyHolds() throws Exception {
        requires(Capability.RESERVE, Capability.SCHEDULE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("held", "a", "b"));
        queue.push("later", PushOptions.delay(seconds(1_000)));
        queue("other").push("stays");
        Reservation<String> held = reserved(queue);
        assertThat(queue.purge()).isEqualTo(3);
        assertThat(queue.counts()).isEqualTo(QueueCounts.of(0, 0, 1));
        assertThat(queue("other").size()).isEqualTo(1);
        held.ack();
    }

    @Test
    void historyKeepsWhatWasConsumedTheLatestFirst() throws Exception {
        requires(Capability.HISTORY);
        MessageQueue<String> queue =
                orders(jono(), QueueOptions.builder().history(seconds(10)).build());
        queue.pushAll(List.of("a", "b", "c"));
        popped(queue);
        pass(seconds(1));
        if (declared(Capability.RESERVE)) {
            reserved(queue).ack();
        } else {
            popped(queue);
        }
        assertThat(queue.historySize()).isEqualTo(2);
        List<BrowsedMessage<String>> history = queue.history(10);
        assertThat(history.stream().map(BrowsedMessage::payload)).containsExactly("b", "a");
        assertThat(history).allMatch(m -> m.state() == BrowsedMessage.State.PROCESSED);
        assertThat(queue.history(1).stream().map(BrowsedMessage::payload)).containsExactly("b");
        assertThat(queue.totalSize()).isEqualTo(1);
        passUntil("the history to end", seconds(40), () -> queue.historySize() == 0);
    }

    @Test
    void withoutHistoryNothingIsKept() throws Exception {
        requires(Capability.HISTORY);
        orders().push("a");
        popped(orders());
        assertThat(orders().historySize()).isZero();
        assertThat(orders().history(10)).isEmpty();
    }

    @Test
    void factoryCountsAllItsQueues() {
        queue("pears").pushAll(List.of("a", "b"));
        pass(seconds(3));
        queue("apples").push("a");
        Map<String, QueueCounts> counts = client().counts();
        assertThat(counts)
                .containsEntry("apples", QueueCounts.of(1, 0, 0))
                .containsEntry("pears", QueueCounts.of(2, 0, 0));
        assertThat(List.copyOf(counts.keySet())).isSorted();
        assertThat(age(counts, "pears")).isBetween(seconds(3), seconds(3).plusSeconds(20));
        assertThat(age(counts, "apples")).isLessThan(age(counts, "pears"));
        assertThat(queue("pears").counts().oldestReadyAge().orElseThrow()).isGreaterThanOrEqualTo(age(counts, "pears"));
    }

    @Test
    void factoryCountsMessagesByState() throws Exception {
        requires(Capability.RESERVE, Capability.SCHEDULE);
        orders().pushAll(List.of("held", "a", "b"));
        orders().push("later", PushOptions.delay(seconds(1_000)));
        queue("apples").push("later", PushOptions.delay(seconds(1_000)));
        Reservation<String> held = reserved(orders());
        assertThat(client().counts())
                .containsEntry(orders().name(), QueueCounts.of(2, 1, 1))
                .containsEntry("apples", QueueCounts.of(0, 1, 0));
        held.ack();
    }

    @Test
    void factoryThatCannotCountFails() {
        Faults faults = new Faults().refuse(Call.COUNTS, request -> true);
        QueueFactory client = connect(builder(faults));
        orders(client).push("a");
        assertThatThrownBy(client::counts).isInstanceOf(StorageException.class);
    }

    @Test
    void factoryCountsMoreQueuesThanOneCallDoes() {
        IntStream.range(0, 25).forEach(i -> queue("queue-" + i).push("a"));
        assertThat(client().counts())
                .hasSizeGreaterThanOrEqualTo(25)
                .containsEntry("queue-0", QueueCounts.of(1, 0, 0))
                .containsEntry("queue-24", QueueCounts.of(1, 0, 0));
    }

    private static Duration age(Map<String, QueueCounts> counts, String queue) {
        return Objects.requireNonNull(counts.get(queue)).oldestReadyAge().orElseThrow();
    }

    @Test
    void factoryListsItsQueuesSorted() {
        queue("pears").push("a");
        queue("apples").push("a");
        queue("plums").push("a");
        assertThat(client().queues())
                .containsSubsequence("apples", "pears", "plums")
                .isSorted();
    }
}

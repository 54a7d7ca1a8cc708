package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.MessageQueue;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueFullException;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.SettleRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls are batched, bounds block callers, and settling never waits for pushes. */
abstract class BoundsRules extends ContractCase {
    BoundsRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private final Faults faults = new Faults();

    private MessageQueue<String> bounded(int messages) {
        return orders(
                client(faults),
                QueueOptions.builder().maxPendingMessages(messages).build());
    }

    @Test
    void asyncPushesBeyondTheBoundFailAndStoreNothing() {
        MessageQueue<String> queue = bounded(5);
        faults.hold(Call.INSERT);
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            pushes.add(track(queue.pushAsync("m" + i)));
        }
        awaitReal(
                "the refusals",
                () -> pushes.stream().filter(CompletableFuture::isDone).count() == 7);
        faults.release(Call.INSERT);
        awaitReal("all to end", () -> pushes.stream().allMatch(CompletableFuture::isDone));
        for (int i = 0; i < 12; i++) {
            CompletableFuture<PushResult> push = pushes.get(i);
            if (i < 5) {
                push.join();
            } else {
                assertThatThrownBy(push::join).hasCauseInstanceOf(QueueFullException.class);
            }
        }
        assertThat(queue.totalSize()).isEqualTo(5);
    }

    @Test
    void bytesAreBoundedToo() {
        MessageQueue<String> queue = orders(
                client(faults), QueueOptions.builder().maxPendingBytes(1_000).build());
        faults.hold(Call.INSERT);
        CompletableFuture<PushResult> first = track(queue.pushAsync("x".repeat(600)));
        CompletableFuture<PushResult> second = track(queue.pushAsync("x".repeat(600)));
        awaitReal("the refusal", second::isDone);
        assertThatThrownBy(second::join).hasCauseInstanceOf(QueueFullException.class);
        faults.release(Call.INSERT);
        first.join();
    }

    @Test
    void blockingPushBeyondTheBoundWaitsForRoom() {
        MessageQueue<String> queue = bounded(2);
        faults.hold(Call.INSERT);
        CompletableFuture<PushResult> one = track(queue.pushAsync("a"));
        CompletableFuture<PushResult> two = track(queue.pushAsync("b"));
        awaitReal("the first to be in flight", () -> faults.held(Call.INSERT) > 0);
        CompletableFuture<PushResult> blocked = inBackground(() -> queue.push("c"));
        assertThat(blocked).isNotDone();
        faults.release(Call.INSERT);
        one.join();
        two.join();
        awaitReal("room", blocked::isDone);
        blocked.join();
        assertThat(queue.totalSize()).isEqualTo(3);
    }

    @Test
    void callsThatComeDuringACallTravelTogether() {
        MessageQueue<String> queue = bounded(1_000);
        faults.hold(Call.INSERT);
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        pushes.add(track(queue.pushAsync("first")));
        awaitReal("the first to be in flight", () -> faults.held(Call.INSERT) == 1);
        for (int i = 0; i < 100; i++) {
            pushes.add(track(queue.pushAsync("m" + i)));
        }
        faults.release(Call.INSERT);
        pushes.forEach(CompletableFuture::join);
        assertThat(faults.calls(Call.INSERT)).isEqualTo(2);
        assertThat(((InsertRequest) faults.requests(Call.INSERT).get(1)).messages())
                .hasSize(100);
    }

    @Test
    void loneCallLeavesAtOnce() {
        MessageQueue<String> queue = bounded(1_000);
        for (int i = 0; i < 10; i++) {
            queue.push("m" + i);
        }
        assertThat(faults.calls(Call.INSERT)).isEqualTo(10);
    }

    @Test
    void batchesStayWithinTheStoragesLimits() {
        QueueFactory client = client(faults.traits(
                t -> Faults.copy(t).maxBatch(10).maxBatchBytes(500).build()));
        MessageQueue<String> queue = orders(client);
        List<String> payloads = new ArrayList<>();
        for (int i = 0; i < 45; i++) {
            payloads.add(i % 9 == 0 ? "x".repeat(300) : "m" + i);
        }
        queue.pushAll(payloads);
        List<InsertRequest> inserts = faults.requests(Call.INSERT).stream()
                .map(r -> (InsertRequest) r)
                .toList();
        assertThat(inserts).allMatch(r -> r.messages().size() <= 10);
        assertThat(inserts)
                .allMatch(r -> r.messages().size() == 1
                        || r.messages().stream()
                                        .mapToLong(m -> m.payload().size())
                                        .sum()
                                <= 500);
        assertThat(queue.totalSize()).isEqualTo(45);
    }

    private List<Reservation<String>> reserved(MessageQueue<String> queue, int count) throws Exception {
        List<Reservation<String>> held = new ArrayList<>();
        while (held.size() < count) {
            held.addAll(queue.reserve(count - held.size(), seconds(5)));
        }
        return held;
    }

    @Test
    void acksLeaveBesideOneAnotherWhereEnoughWait() throws Exception {
        requires(Capability.RESERVE);
        AtomicInteger allowed = new AtomicInteger();
        MessageQueue<String> queue = orders(client(faults.traits(t -> {
            allowed.set(t.maxConcurrentAcks());
            return Faults.copy(t).preferredBatch(5).maxAckBatch(10).build();
        })));
        queue.pushAll(IntStream.range(0, 40).mapToObj(i -> "m" + i).toList());
        List<Reservation<String>> held = reserved(queue, 40);
        faults.hold(Call.ACK);
        List<CompletableFuture<Void>> acks = new ArrayList<>();
        acks.add(track(held.get(0).ackAsync()));
        awaitReal("the first to be in flight", () -> faults.held(Call.ACK) == 1);
        held.subList(1, 5).forEach(each -> acks.add(track(each.ackAsync())));
        assertThat(faults.calls(Call.ACK)).as("four wait").isEqualTo(1);
        held.subList(5, 40).forEach(each -> acks.add(track(each.ackAsync())));
        awaitReal("the acks to be in flight", () -> faults.held(Call.ACK) == allowed.get());
        assertThat(faults.calls(Call.ACK)).isEqualTo(allowed.get());
        faults.release(Call.ACK);
        acks.forEach(CompletableFuture::join);
        assertThat(faults.requests(Call.ACK))
                .allMatch(request -> ((SettleRequest) request).receipts().size() <= 10);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void acksBesideOneAnotherWhoseRepliesAreLostAreDone() throws Exception {
        requires(Capability.RESERVE);
        requiresRepeatable();
        MessageQueue<String> queue = orders(client(faults.traits(
                t -> Faults.copy(t).preferredBatch(5).maxAckBatch(10).build())));
        queue.pushAll(IntStream.range(0, 40).mapToObj(i -> "m" + i).toList());
        List<Reservation<String>> held = reserved(queue, 40);
        faults.loseReplies(Call.ACK, 3);
        List<CompletableFuture<Void>> acks =
                held.stream().map(each -> track(each.ackAsync())).toList();
        passUntil("the acks to be done", seconds(9), () -> acks.stream().allMatch(CompletableFuture::isDone));
        acks.forEach(CompletableFuture::join);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void settlingNeverWaitsBehindPushes() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = bounded(2);
        queue.push("a");
        var held = reserved(queue);
        faults.hold(Call.INSERT);
        CompletableFuture<PushResult> one = track(queue.pushAsync("b"));
        CompletableFuture<PushResult> two = track(queue.pushAsync("c"));
        awaitReal("the push to be in flight", () -> faults.held(Call.INSERT) > 0);
        held.extend(Duration.ofMinutes(1));
        held.ack();
        assertThat(one).isNotDone();
        faults.release(Call.INSERT);
        one.join();
        two.join();
    }

    @Test
    void idleConsumersDoNotAskTheStorage() {
        MessageQueue<String> queue = bounded(10);
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(track(queue.popAsync(Duration.ofHours(9))));
        }
        awaitReal("the first call", () -> faults.calls(Call.TAKE) > 0);
        pass(seconds(1));
        int before = faults.calls(Call.TAKE);
        for (int i = 0; i < 10; i++) {
            pass(seconds(2));
        }
        // A signaller that confirms its subscription late causes one more call. Polling would cause ten.
        assertThat(faults.calls(Call.TAKE)).isBetween(before, before + 1);
        assertThat(queue.cancelAll()).isEqualTo(20);
        awaitReal("the waits to end", () -> waiting.stream().allMatch(CompletableFuture::isDone));
    }
}

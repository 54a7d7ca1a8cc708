package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A message has at most one live holder; pop removes it. */
abstract class OnceRules extends ContractCase {
    OnceRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void reservedMessageIsNobodyElses() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> local = orders();
        MessageQueue<String> remote = orders(client());
        local.push("a");
        Reservation<String> held = reserved(local);
        assertThat(remote.reserve(Duration.ZERO)).isEmpty();
        assertThat(remote.pop(Duration.ZERO)).isEmpty();
        assertThat(local.reserve(Duration.ZERO)).isEmpty();
        held.ack();
    }

    @Test
    void popRemovesTheMessage() throws Exception {
        MessageQueue<String> remote = orders(client());
        orders().push("a");
        popped(orders());
        assertThat(remote.totalSize()).isZero();
        assertThat(remote.pop(Duration.ZERO)).isEmpty();
    }

    @Test
    void ackedMessageNeverComesBack() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.push("a");
        queue.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(3))).get(0).ack();
        pass(seconds(4));
        assertThat(queue.reserve(Duration.ZERO)).isEmpty();
        assertThat(orders(client()).totalSize()).isZero();
    }

    @Test
    void rivalsInOneProcessNeverShareAMessage() throws Exception {
        MessageQueue<String> queue = orders();
        List<CompletableFuture<List<Message<String>>>> rivals = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rivals.add(track(queue.popAsync(7, Duration.ofMinutes(5))));
        }
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            pushed.add("m" + i);
        }
        queue.pushAll(pushed);
        awaitReal(
                "the messages to be popped",
                () -> rivals.stream()
                                        .filter(CompletableFuture::isDone)
                                        .mapToInt(r -> r.join().size())
                                        .sum()
                                + queue.totalSize()
                        == 300);
        queue.cancelAll();
        List<String> got = Collections.synchronizedList(new ArrayList<>());
        rivals.forEach(r -> r.join().forEach(m -> got.add(m.payload())));
        got.addAll(popAll(queue));
        assertThat(got).containsExactlyInAnyOrderElementsOf(pushed);
    }

    @Test
    void rivalClientsNeverShareAMessage() throws Exception {
        requires(Capability.RESERVE);
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            pushed.add("m" + i);
        }
        orders().pushAll(pushed);
        List<CompletableFuture<List<String>>> rivals = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            MessageQueue<String> queue = orders(client());
            rivals.add(inBackground(() -> ackEverything(queue)));
        }
        List<String> got = new ArrayList<>();
        for (CompletableFuture<List<String>> rival : rivals) {
            got.addAll(passUntilDone("a rival to finish", seconds(5), rival));
        }
        assertThat(got).containsExactlyInAnyOrderElementsOf(pushed);
        assertThat(orders().totalSize()).isZero();
    }

    private static List<String> ackEverything(MessageQueue<String> queue) throws InterruptedException {
        List<String> mine = new ArrayList<>();
        for (List<Reservation<String>> some = queue.reserve(9, Duration.ZERO);
                !some.isEmpty();
                some = queue.reserve(9, Duration.ZERO)) {
            some.forEach(r -> mine.add(r.payload()));
            queue.ackAll(some);
        }
        return mine;
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueStats;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The counters are complete. */
abstract class StatsRules extends ContractCase {
    StatsRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private void awaitStats(String what, MessageQueue<?> queue, Predicate<QueueStats> holds) {
        passUntil(what + ", now " + queue.stats(), Duration.ofMinutes(1), () -> holds.test(queue.stats()));
    }

    @Test
    void pushedAndPoppedAddUp() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        queue.pushAll(List.of("b", "c", "d"));
        List<Message<String>> some = queue.pop(3, Duration.ZERO);
        assertThat(some).hasSize(3);
        awaitStats("4 pushed and 3 popped", queue, s -> s.pushed() == 4 && s.popped() == 3);
        assertThat(queue.stats().pushed() - queue.stats().popped()).isEqualTo(queue.totalSize());
    }

    @Test
    void endsOfReservationsAddUp() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("acked", "retried", "released", "rejected"));
        reserved(queue).ack();
        reserved(queue).retry(Duration.ZERO);
        pass(seconds(1));
        List<String> left = List.of("retried", "released", "rejected");
        for (int i = 0; i < 3; i++) {
            var next = reserved(queue);
            assertThat(left).contains(next.payload());
            if (next.payload().equals("rejected")) {
                next.reject("no");
            } else if (next.payload().equals("released")) {
                next.ack();
            } else {
                next.release();
                reserved(queue).ack();
            }
        }
        awaitStats(
                "every end to be counted",
                queue,
                s -> s.reserved() == 6
                        && s.acked() == 3
                        && s.retried() == 1
                        && s.released() == 1
                        && s.deadLettered() == 1);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void clientsThatShareStatsAddUp() throws Exception {
        MessageQueue<String> local = orders();
        MessageQueue<String> remote = orders(client());
        local.pushAll(List.of("a", "b"));
        remote.push("c");
        popped(remote);
        awaitStats("3 pushed and 1 popped, seen here", local, s -> s.pushed() == 3 && s.popped() == 1);
        awaitStats("3 pushed and 1 popped, seen there", remote, s -> s.pushed() == 3 && s.popped() == 1);
    }

    @Test
    void closeFlushesWhatWasNotYetAdded() {
        MessageQueue<String> local = orders();
        assertThat(local.stats().pushed()).isZero();
        QueueFactory goes = client();
        orders(goes).pushAll(List.of("a", "b", "c"));
        goes.close();
        assertThat(local.stats().pushed()).isEqualTo(3);
    }

    @Test
    void statsOfQueuesAndNamespacesAreKeptApart() {
        orders().push("a");
        awaitStats("the push to be counted", orders(), s -> s.pushed() == 1);
        assertThat(queue("other").stats().pushed()).isZero();
        QueueFactory elsewhere = connect(storage().client().namespace("Other"));
        assertThat(orders(elsewhere).stats().pushed()).isZero();
    }

    @Test
    void whatFailsIsNotCounted() {
        Faults faults = new Faults().refuse(Call.INSERT, request -> true);
        MessageQueue<String> queue = orders(client(faults));
        try {
            queue.push("a");
        } catch (dev.jono.StorageException expected) {
            faults.accept(Call.INSERT);
        }
        queue.push("b");
        awaitStats("one push to be counted", queue, s -> s.pushed() >= 1);
        pass(seconds(1));
        assertThat(queue.stats().pushed()).isEqualTo(1);
    }
}

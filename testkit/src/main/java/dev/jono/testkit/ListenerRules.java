package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.FactoryListener;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.StorageCallReport;
import dev.jono.StorageCallReport.Outcome;
import dev.jono.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Listeners hear of every storage call, and of all messages that their factory counts. */
abstract class ListenerRules extends ContractCase {
    private final List<StorageCallReport> calls = new CopyOnWriteArrayList<>();
    private final Map<String, Long> counted = new ConcurrentHashMap<>();

    ListenerRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Records what it hears. */
    private final class Recorder implements FactoryListener {
        @Override
        public void storageCall(StorageCallReport call) {
            calls.add(call);
        }

        @Override
        public void pushed(String queue, long messages) {
            add(queue, "pushed", messages);
        }

        @Override
        public void popped(String queue, long messages) {
            add(queue, "popped", messages);
        }

        @Override
        public void reserved(String queue, long messages) {
            add(queue, "reserved", messages);
        }

        @Override
        public void acked(String queue, long messages) {
            add(queue, "acked", messages);
        }

        @Override
        public void retried(String queue, long messages) {
            add(queue, "retried", messages);
        }

        @Override
        public void released(String queue, long messages) {
            add(queue, "released", messages);
        }

        @Override
        public void deadLettered(String queue, long messages) {
            add(queue, "dead-lettered", messages);
        }

        private void add(String queue, String what, long messages) {
            counted.merge(queue + " " + what, messages, Long::sum);
        }
    }

    private QueueFactory heard() {
        return connect(storage().client().listener(new Recorder()));
    }

    private List<StorageCallReport> calls(String operation) {
        return calls.stream().filter(call -> call.operation().equals(operation)).toList();
    }

    private static int messages(List<StorageCallReport> calls) {
        return calls.stream().mapToInt(StorageCallReport::messages).sum();
    }

    private void awaitCounted(Map<String, Long> expected) {
        awaitReal("counts " + expected + ", heard " + counted, () -> counted.equals(expected));
    }

    @Test
    void pushesAndPopsAreHeard() throws Exception {
        MessageQueue<String> queue = orders(heard());
        queue.push("a");
        queue.pushAll(List.of("b", "c"));
        assertThat(queue.pop(3, Duration.ZERO)).isNotEmpty();
        while (queue.totalSize() > 0) {
            popped(queue);
        }
        awaitCounted(Map.of("orders pushed", 3L, "orders popped", 3L));
        assertThat(messages(calls("push"))).isEqualTo(3);
        assertThat(messages(calls("pop"))).isEqualTo(3);
        assertThat(calls("counts")).isNotEmpty();
        assertThat(calls).allSatisfy(call -> {
            assertThat(call.queue()).isEqualTo("orders");
            assertThat(call.outcome()).isEqualTo(Outcome.DONE);
            assertThat(call.duration()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    @Test
    void everyEndOfAReservationIsHeard() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders(heard());
        queue.push("a");
        reserved(queue).release();
        reserved(queue).retry(Duration.ZERO);
        reserved(queue).ack();
        queue.push("b");
        reserved(queue).reject("a test's");
        awaitCounted(Map.of(
                "orders pushed", 2L,
                "orders reserved", 4L,
                "orders released", 1L,
                "orders retried", 1L,
                "orders acked", 1L,
                "orders dead-lettered", 1L));
        assertThat(messages(calls("reserve"))).isEqualTo(4);
        assertThat(messages(calls("ack"))).isGreaterThanOrEqualTo(1);
        assertThat(messages(calls("release"))).isEqualTo(2);
    }

    @Test
    void countsOfAFactoryAreHeardForEachQueue() {
        QueueFactory jono = heard();
        orders(jono).push("a");
        jono.queue("pears", Codec.string()).push("a");
        assertThat(jono.counts()).containsKeys("orders", "pears");
        awaitReal("calls that count, heard " + calls, () -> calls("counts").size() >= 2);
        assertThat(calls("counts"))
                .extracting(StorageCallReport::queue)
                .contains("orders", "pears")
                .doesNotHaveDuplicates();
    }

    @Test
    void callThatFailsIsHeardWithItsOutcome() {
        Faults refusing = new Faults().refuse(Call.INSERT, request -> true);
        assertThatThrownBy(() -> orders(connect(builder(refusing).listener(new Recorder())))
                        .push("a"))
                .isInstanceOf(StorageException.class);
        assertThat(calls("push")).extracting(StorageCallReport::outcome).containsExactly(Outcome.FAILED);
        assertThat(counted).isEmpty();
    }

    @Test
    void listenerThatThrowsChangesNothing() throws Exception {
        QueueFactory client = connect(storage().client().listener(new FactoryListener() {
            @Override
            public void storageCall(StorageCallReport call) {
                throw new IllegalStateException("a test's");
            }

            @Override
            public void pushed(String queue, long messages) {
                throw new IllegalStateException("a test's");
            }
        }));
        MessageQueue<String> queue = orders(client);
        queue.push("a");
        assertThat(popped(queue)).extracting(Message::payload).isEqualTo("a");
    }
}

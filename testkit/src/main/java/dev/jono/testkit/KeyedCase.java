package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;

/** The base of the rules for queues with ordering keys. */
abstract class KeyedCase extends ContractCase {
    KeyedCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsKeys() {
        requires(Capability.KEYED, Capability.RESERVE);
    }

    static QueueOptions keyedOptions(int maxPerKey) {
        return QueueOptions.builder().keyed(maxPerKey).build();
    }

    final MessageQueue<String> keyed() {
        return keyed(jono());
    }

    final MessageQueue<String> keyed(QueueFactory client) {
        return orders(client, keyedOptions(1));
    }

    static PushOptions key(String key) {
        return PushOptions.none().key(key);
    }

    /** Pushes messages with the key that their first letter is. */
    static void push(MessageQueue<String> queue, String... payloads) {
        for (String payload : payloads) {
            queue.push(payload, key(payload.substring(0, 1)));
        }
    }

    static <T> void assertNothingToReserve(MessageQueue<T> queue) throws InterruptedException {
        assertThat(queue.reserve(Duration.ZERO)).isEmpty();
    }

    static List<String> payloads(List<? extends Message<String>> messages) {
        return messages.stream().map(Message::payload).toList();
    }

    /** Reserves and acks messages one by one, and checks that they come in this order. */
    static void assertHandedOut(MessageQueue<String> queue, String... payloads) throws InterruptedException {
        for (String expected : payloads) {
            Reservation<String> held = reserved(queue);
            assertThat(held.payload()).isEqualTo(expected);
            held.ack();
        }
    }
}

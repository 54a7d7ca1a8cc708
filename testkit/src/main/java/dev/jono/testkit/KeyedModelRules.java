package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.StaleReservationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random steps of several clients on a keyed queue, each compared with a simple model in memory: the order per key, one holder
 * at a time, and nothing lost.
 */
abstract class KeyedModelRules extends ContractCase {
    private static final int STEPS = 250;
    private static final int CLIENTS = 3;
    private static final List<String> KEYS = List.of("a", "b", "c", "d");

    /** The live messages of each key, in the order of insertion, with the batch that holds them. */
    private final Map<String, Map<String, Held>> model = new LinkedHashMap<>();

    private final List<MessageQueue<String>> queues = new ArrayList<>();
    private final List<Reservation<String>> held = new ArrayList<>();

    /** The number of the reserve call that brought each reservation. */
    private final Map<Reservation<String>, Integer> calls = new HashMap<>();

    private int pushed;

    /** Who holds a message: the number of the reserve call; {@code NOBODY} for none. */
    private static final class Held {
        private static final int NOBODY = 0;
        private int by = NOBODY;
        private int tries;
    }

    KeyedModelRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void openQueues() {
        requires(Capability.KEYED, Capability.RESERVE, Capability.REMOVE);
        for (int i = 0; i < CLIENTS; i++) {
            queues.add(keyed(client()));
        }
    }

    private MessageQueue<String> keyed(QueueFactory client) {
        return orders(
                client,
                QueueOptions.builder()
                        .keyed()
                        .lease(Duration.ofHours(1))
                        .deadLetter(DeadLetter.never())
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .build());
    }

    private Map<String, Held> messages(String key) {
        return model.computeIfAbsent(key, k -> new LinkedHashMap<>());
    }

    private Held find(Reservation<String> message) {
        return Objects.requireNonNull(
                messages(message.key().orElseThrow()).get(message.id()), "a message that the model knows");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomStepsAgreeWithTheModel(long seed) throws Exception {
        Random random = new Random(seed);
        for (int step = 1; step <= STEPS; step++) {
            MessageQueue<String> queue = queues.get(random.nextInt(CLIENTS));
            int choice = random.nextInt(100);
            if (choice < 35) {
                push(queue, KEYS.get(random.nextInt(KEYS.size())));
            } else if (choice < 60) {
                reserve(queue, 1 + random.nextInt(3), step);
            } else if (choice < 95) {
                settle(random);
            } else {
                remove(queue, random);
            }
        }
        while (!held.isEmpty()) {
            ack(held.remove(0));
        }
        for (int step = STEPS + 1; anyLive(); step++) {
            reserve(queues.get(0), 5, step);
            assertThat(held)
                    .as("messages that the model has, and the queue does not hand out")
                    .isNotEmpty();
            while (!held.isEmpty()) {
                ack(held.remove(0));
            }
        }
        assertThat(queues.get(0).totalSize()).isZero();
    }

    private boolean anyLive() {
        return model.values().stream().anyMatch(messages -> !messages.isEmpty());
    }

    private void push(MessageQueue<String> queue, String key) {
        String id = queue.push("m" + pushed++, PushOptions.none().key(key)).id();
        messages(key).put(id, new Held());
    }

    private void reserve(MessageQueue<String> queue, int max, int call) throws Exception {
        boolean expected = model.values().stream().anyMatch(KeyedModelRules::isFree);
        List<Reservation<String>> found = queue.reserve(max, expected ? Duration.ofSeconds(5) : Duration.ZERO);
        assertThat(found.isEmpty()).as("whether nothing was found").isEqualTo(!expected);
        for (Reservation<String> message : found) {
            Map<String, Held> ofKey = messages(message.key().orElseThrow());
            assertThat(nextOf(ofKey, call))
                    .as("the message of key " + message.key() + " to be handed out")
                    .contains(message.id());
            Held state = find(message);
            assertThat(message.tries()).isEqualTo(state.tries);
            state.by = call;
            held.add(message);
            calls.put(message, call);
        }
    }

    /** Whether the first message of a key can be handed out. */
    private static boolean isFree(Map<String, Held> ofKey) {
        return nextOf(ofKey, -1).isPresent();
    }

    /** The message of a key that a call may get next: the first one, or the one after those that this call has already. */
    private static Optional<String> nextOf(Map<String, Held> ofKey, int call) {
        for (Map.Entry<String, Held> message : ofKey.entrySet()) {
            if (message.getValue().by == Held.NOBODY) {
                return ofKey.values().stream().anyMatch(other -> other.by != Held.NOBODY && other.by != call)
                        ? Optional.empty()
                        : Optional.of(message.getKey());
            }
        }
        return Optional.empty();
    }

    private void settle(Random random) {
        if (held.isEmpty()) {
            return;
        }
        Reservation<String> message = held.remove(random.nextInt(held.size()));
        switch (random.nextInt(4)) {
            case 0 -> giveBack(message, 1, () -> message.retry());
            case 1 -> giveBack(message, 0, message::release);
            default -> ack(message);
        }
    }

    private void ack(Reservation<String> message) {
        Map<String, Held> ofKey = messages(message.key().orElseThrow());
        if (isHeld(message)) {
            message.ack();
            ofKey.remove(message.id());
        } else {
            assertStale(message::ack);
        }
    }

    /** A message that goes back takes the later ones of its key with it, uncounted. */
    private void giveBack(Reservation<String> message, int tries, Runnable step) {
        if (!isHeld(message)) {
            assertStale(step);
            return;
        }
        step.run();
        boolean behind = false;
        for (Map.Entry<String, Held> other :
                messages(message.key().orElseThrow()).entrySet()) {
            behind |= other.getKey().equals(message.id());
            if (behind) {
                other.getValue().by = Held.NOBODY;
            }
        }
        find(message).tries += tries;
    }

    private boolean isHeld(Reservation<String> message) {
        Held state = messages(message.key().orElseThrow()).get(message.id());
        return state != null && state.by != Held.NOBODY && Objects.equals(calls.get(message), state.by);
    }

    private static void assertStale(Runnable step) {
        @Nullable StaleReservationException stale = null;
        try {
            step.run();
        } catch (StaleReservationException expected) {
            stale = expected;
        }
        assertThat(stale).as("the refusal of a message that was taken back").isNotNull();
    }

    /** Removes a message that waits, be it blocked or not. */
    private void remove(MessageQueue<String> queue, Random random) {
        Map<String, Held> ofKey = messages(KEYS.get(random.nextInt(KEYS.size())));
        List<String> waiting = ofKey.entrySet().stream()
                .filter(message -> message.getValue().by == Held.NOBODY)
                .map(Map.Entry::getKey)
                .toList();
        if (!waiting.isEmpty()) {
            String id = waiting.get(random.nextInt(waiting.size()));
            assertThat(queue.remove(id)).isEqualTo(RemoveOutcome.REMOVED);
            ofKey.remove(id);
        }
    }
}

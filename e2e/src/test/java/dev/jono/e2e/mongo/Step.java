package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.JonoException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A step on a queue that holds {@code a} and {@code b}, and its possible results. */
enum Step {
    /** Of {@code c}. */
    PUSH,
    POP,
    RESERVE,
    ACK,
    RETRY,
    RELEASE,
    EXTEND,
    REJECT;

    static final Duration LEASE = Duration.ofSeconds(3);
    static final String DEAD = "dead";
    private static final Duration LONG = Duration.ofSeconds(10);

    /** The outcome that the caller learned. */
    enum End {
        DONE,
        NOT_DONE,
        UNKNOWN
    }

    /** A factory for these steps. */
    static QueueFactoryBuilder connecting(String url, Duration operationTimeout) {
        return QueueFactory.builder(url)
                // Only the calls of the queues go to the server.
                .signaller("local:")
                .stats("mem:")
                .deadLetter(DeadLetter.after(100).queue(DEAD))
                .queueDefaults(QueueOptions.builder()
                        .lease(LEASE)
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .pollInterval(Duration.ofSeconds(1))
                        .operationTimeout(operationTimeout)
                        .build());
    }

    boolean needsReservation() {
        return this != PUSH && this != POP;
    }

    String queue() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reserves {@code a} if the step needs a reservation. */
    @Nullable Reservation<String> held(MessageQueue<String> queue) throws InterruptedException {
        return this == PUSH || this == POP || this == RESERVE
                ? null
                : queue.reserve(LONG).orElseThrow();
    }

    /** Executes the step. */
    End end(MessageQueue<String> queue, @Nullable Reservation<String> held) throws InterruptedException {
        try {
            if (held != null) {
                settle(held);
            } else {
                switch (this) {
                    case PUSH -> queue.push("c");
                    case POP -> assertThat(queue.pop(LONG)).isPresent();
                    default -> assertThat(queue.reserve(LONG)).isPresent();
                }
            }
            return End.DONE;
        } catch (JonoException failure) {
            assertThat(failure).isInstanceOfAny(OutcomeUnknownException.class, StorageException.class);
            assertThat(failure.queue()).as("named by %s", failure).isIn(queue.name(), DEAD);
            return failure instanceof OutcomeUnknownException ? End.UNKNOWN : End.NOT_DONE;
        }
    }

    private void settle(Reservation<String> held) {
        switch (this) {
            case ACK -> held.ack();
            case RETRY -> held.retry(Duration.ofMillis(1));
            case RELEASE -> held.release();
            case EXTEND -> held.extend(LEASE);
            case REJECT -> held.reject("not wanted");
            default -> throw new IllegalArgumentException(name());
        }
    }

    /** All possible states after the step. */
    List<List<String>> possible(End end) {
        List<String> both = List.of("a", "b");
        List<List<String>> possible = new ArrayList<>();
        if (end != End.DONE) {
            possible.add(both);
        }
        if (end != End.NOT_DONE) {
            possible.add(
                    switch (this) {
                        case PUSH -> List.of("a", "b", "c");
                        case POP, ACK, REJECT -> List.of("b");
                        default -> both;
                    });
        }
        return possible;
    }

    /** The visible messages of a queue. */
    static List<String> seen(MessageQueue<String> queue) {
        return queue.browse(null, 100).stream().map(Message::payload).sorted().toList();
    }

    /** All messages of a queue after all leases have ended. */
    static List<String> out(MessageQueue<String> queue) {
        List<String> out = new ArrayList<>();
        Awaitility.await("all of " + queue.name()).atMost(LONG).until(() -> {
            queue.pop(10, Duration.ZERO).forEach(message -> out.add(message.payload()));
            return queue.totalSize() == 0;
        });
        return out.stream().sorted().toList();
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.PayloadKind;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.QueueClosedException;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.TypeRef;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid input fails with a clear error that names the queue. Nothing is stored, and nothing hangs. */
abstract class BadInputRules extends ContractCase {
    BadInputRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    /** Asserts that a call fails with this type and a message that contains all of these texts. */
    private static void assertFails(
            String name, Class<? extends Throwable> type, ThrowingCallable call, String... says) {
        assertThatThrownBy(() -> {
                    try {
                        call.call();
                    } catch (CompletionException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                })
                .as(name)
                .isInstanceOf(type)
                .hasMessageContainingAll(says);
    }

    @Test
    void nullPayloadIsRefused() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        String nothing = Unchecked.nullOf();
        String says = "payload for queue 'orders' is null";
        assertFails("push", NullPointerException.class, () -> queue.push(nothing), says);
        assertFails("push", NullPointerException.class, () -> queue.push(nothing, PushOptions.none()), says);
        assertFails(
                "pushAsync",
                NullPointerException.class,
                () -> queue.pushAsync(nothing).join(),
                says);
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void payloadThatBecomesNullOnItsWayIsRefused() throws Exception {
        MessageQueue<Optional<String>> optional = jono().queue("orders", new TypeRef<Optional<String>>() {});
        assertFails(
                "an empty Optional",
                EncodingException.class,
                () -> optional.push(Optional.empty()),
                "push to queue 'orders'",
                "its JSON is null, which cannot be a payload");
        Codec<String> forgetful = new Codec<>() {
            @Override
            public EncodedPayload encode(String payload, Headers headers) {
                return payload.equals("bad")
                        ? Unchecked.nullOf()
                        : EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public String decode(EncodedPayload payload, Headers headers) {
                return payload.text();
            }
        };
        MessageQueue<String> queue = jono().queue("orders", forgetful);
        assertFails(
                "a codec's null",
                EncodingException.class,
                () -> queue.push("bad"),
                "push to queue 'orders'",
                "the codec returned null");
        assertFails(
                "a codec's null in a list",
                PartialFailureException.class,
                () -> queue.pushAll(List.of("a", "bad", "b")),
                "push of 3 items on queue 'orders': 1 failed, the others are done",
                "the codec returned null");
        assertThat(popAll(queue)).containsExactly("a", "b");
    }

    static Stream<String> badNames() {
        return Stream.of("", " ", "a b", "a\nb", "caf\u00e9", "a\0b", "a\\b", "a\"b", "a*", "a$b", "x".repeat(201));
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void illegalQueueNameIsRefused(String name) throws Exception {
        String says = "is not allowed: 1 to 200 letters, digits or";
        String shown = "queue name '" + name.substring(0, Math.min(name.length(), 200));
        MessageQueue<String> queue = orders();
        queue.push("a");
        assertFails("by type", IllegalArgumentException.class, () -> jono().queue(name, String.class), shown, says);
        assertFails("by codec", IllegalArgumentException.class, () -> jono().queue(name, Codec.string()), shown, says);
        assertFails(
                "as dead letter",
                IllegalArgumentException.class,
                () -> jono().queue(
                                "other",
                                Codec.string(),
                                QueueOptions.builder()
                                        .deadLetter(DeadLetter.after(2).queue(name))
                                        .build()),
                shown,
                says);
        assertThat(jono().queues()).doesNotContain(name);
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void nullQueueNameIsRefused() {
        String says = "a queue's name must not be null";
        assertFails("by type", NullPointerException.class, () -> jono().queue(Unchecked.nullOf(), String.class), says);
        assertFails(
                "by codec", NullPointerException.class, () -> jono().queue(Unchecked.nullOf(), Codec.string()), says);
    }

    /** A settling step that is refused leaves the reservation unchanged: close() or the worker can still settle it. */
    @Test
    void moveToAnIllegalNameIsRefusedAndTheMessageStaysItsHolders() throws Exception {
        requires(Capability.RESERVE, Capability.MOVE);
        MessageQueue<String> queue = orders();
        String id = queue.push("a").id();
        try (Reservation<String> held = reserved(queue)) {
            assertFails(
                    "moveTo",
                    IllegalArgumentException.class,
                    () -> held.moveTo("not allowed"),
                    "queue name 'not allowed' is not allowed");
            assertThat(held.isSettled()).isFalse();
        }
        Reservation<String> again = reserved(queue);
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.tries()).isEqualTo(1);
        again.ack();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A-b_c.d:e", "{tag}.q", "a@b/c+d~e#f=g"})
    void legalQueueNameWorks(String name) throws Exception {
        MessageQueue<String> queue = queue(name);
        queue.push("a");
        assertThat(popped(queue).queue()).isEqualTo(name);
    }

    @Test
    void longestQueueNameWorks() throws Exception {
        MessageQueue<String> queue = queue("x".repeat(200));
        queue.push("a");
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void oversizedPayloadIsRefusedByNameAndTheLargestIsNot() throws Exception {
        MessageQueue<String> queue =
                orders(jono(), QueueOptions.builder().maxPayloadBytes(1_000).build());
        String[] says = {
            "payload of 1001 bytes for queue 'orders' is over the limit of 1000 bytes, and was not stored",
            "push a reference, or raise the queue's maxPayloadBytes"
        };
        assertFails("push", PayloadTooLargeException.class, () -> queue.push("x".repeat(1_001)), says);
        assertFails(
                "pushAsync",
                PayloadTooLargeException.class,
                () -> queue.pushAsync("x".repeat(1_001)).join(),
                says);
        queue.push("x".repeat(1_000));
        assertThat(popped(queue).payload()).hasSize(1_000);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void unlessToldOtherwisePayloadsMayHaveAMebibyte() throws Exception {
        MessageQueue<byte[]> queue = jono().queue("orders", Codec.bytes());
        assertFails(
                "push",
                PayloadTooLargeException.class,
                () -> queue.push(new byte[(1 << 20) + 1]),
                "payload of 1048577 bytes for queue 'orders' is over the limit of 1048576 bytes");
        queue.push(new byte[1 << 20]);
        assertThat(popped(queue).payload()).hasSize(1 << 20);
    }

    @Test
    void negativeAndAbsurdDurationsAreRefused() throws Exception {
        MessageQueue<String> queue = orders();
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        for (Duration bad : List.of(Duration.ofMillis(-1), Duration.ofNanos(-1), Duration.ofDays(36_600))) {
            calls.put("delay " + bad, () -> PushOptions.delay(bad));
            calls.put("pop " + bad, () -> queue.pop(bad));
            calls.put("pop many " + bad, () -> queue.pop(3, bad));
            calls.put("popAsync " + bad, () -> queue.popAsync(bad).join());
            calls.put("lease " + bad, () -> ReserveOptions.lease(bad));
            calls.put("queue lease " + bad, () -> QueueOptions.builder().lease(bad));
            calls.put("poll " + bad, () -> QueueOptions.builder().pollInterval(bad));
            calls.put("timeout " + bad, () -> QueueOptions.builder().operationTimeout(bad));
        }
        if (declared(Capability.RESERVE)) {
            queue.push("a");
            Reservation<String> held = reserved(queue);
            for (Duration bad : List.of(Duration.ofMillis(-1), Duration.ofDays(36_600))) {
                calls.put("retry " + bad, () -> held.retry(bad));
                calls.put("release " + bad, () -> held.release(bad));
                calls.put("extend " + bad, () -> held.extend(bad));
                calls.put("reserve " + bad, () -> queue.reserve(bad));
            }
            calls.put("extend zero", () -> held.extend(Duration.ZERO));
            calls.put("lease zero", () -> ReserveOptions.lease(Duration.ZERO));
            calls.forEach((name, call) -> assertFails(name, IllegalArgumentException.class, call, " must "));
            assertThat(held.isSettled()).isFalse();
            held.ack();
        } else {
            calls.forEach((name, call) -> assertFails(name, IllegalArgumentException.class, call, " must "));
        }
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void longestWaitIsNoOverflow() {
        MessageQueue<String> queue = orders();
        var waiting = track(queue.popAsync(Duration.ofDays(3660)));
        pass(seconds(1));
        assertThat(waiting).isNotDone();
        queue.push("a");
        awaitReal("the message", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void countsBelowOneAreRefused(int count) throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        String says = "must be at least 1: " + count;
        assertFails("pop", IllegalArgumentException.class, () -> queue.pop(count, Duration.ZERO), "'orders'", says);
        if (declared(Capability.RESERVE)) {
            assertFails("reserve", IllegalArgumentException.class, () -> queue.reserve(count, Duration.ZERO), says);
        }
        if (declared(Capability.BROWSE)) {
            assertFails("browse", IllegalArgumentException.class, () -> queue.browse(null, count), says);
        }
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void hugeCountsAreNoOverflow() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("a", "b"));
        assertThat(queue.pop(Integer.MAX_VALUE, Duration.ZERO)).hasSize(2);
        if (declared(Capability.BROWSE)) {
            assertThat(queue.browse(null, Integer.MAX_VALUE)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nothing", ":", "a:", ":b", "   "})
    void textThatIsNoReceiptIsRefused(String text) {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        assertFails("lease", IllegalArgumentException.class, () -> queue.lease(text), "is not a receipt: expected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", "0:0", "x:y:z", "9223372036854775808:no-such-id", "'; drop table x; --:1"})
    void receiptOfNothingSettlesNothing(String text) throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        queue.push("a");
        assertThatThrownBy(() -> queue.lease(text).ack())
                .isInstanceOfAny(dev.jono.StaleReservationException.class, IllegalArgumentException.class);
        assertThat(popAll(queue)).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no-such-id", "'; drop table messages; --", "\u0000", "0"})
    void idOfNothingFindsNothing(String id) {
        requires(Capability.REMOVE, Capability.BROWSE);
        orders().push("a");
        assertThat(orders().remove(id)).isEqualTo(dev.jono.RemoveOutcome.ABSENT);
        assertThat(orders().get(id)).isEmpty();
        assertThat(orders().totalSize()).isEqualTo(1);
    }

    @Test
    void headersOfJonosOwnAndIllegalOnesAreRefused() {
        PushOptions none = PushOptions.none();
        for (String name : List.of("x-mine", "", "a b", "caf\u00e9", "a".repeat(65), "a.b")) {
            assertFails(name, IllegalArgumentException.class, () -> none.header(name, "v"), "header", name);
        }
        assertFails("a list", IllegalArgumentException.class, () -> none.header("list", List.of()), "header 'list'");
        assertFails("tries", IllegalArgumentException.class, () -> none.tries(-1), "tries must not be negative: -1");
        for (Instant absurd : List.of(Instant.MIN, Instant.MAX, Instant.EPOCH.minusMillis(1))) {
            assertFails(
                    "at",
                    IllegalArgumentException.class,
                    () -> PushOptions.at(absurd),
                    "due time must lie between 1970 and 9999");
        }
    }

    @Test
    void closedFactoryRefusesEveryCall() throws Exception {
        MessageQueue<String> stays = jono().queue("closing", Codec.string());
        QueueFactory client = client();
        MessageQueue<String> queue = client.queue("closing", Codec.string());
        Reservation<String> held = null;
        if (declared(Capability.RESERVE)) {
            queue.push("a");
            held = reserved(queue);
            leavesReservations();
        }
        CompletableFuture<?> waiting =
                track(client.queue("idle", Codec.string()).popAsync(seconds(1_000)));
        client.close();
        client.close();
        awaitReal("the wait to end", waiting::isDone);
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("push", () -> queue.push("b"));
        calls.put("pushAsync", () -> queue.pushAsync("b").join());
        calls.put("pushAll", () -> queue.pushAll(List.of("b")));
        calls.put("pop", () -> queue.pop(Duration.ZERO));
        calls.put("popAsync", () -> queue.popAsync(Duration.ofSeconds(1)).join());
        calls.put("counts", queue::counts);
        calls.put("purge", queue::purge);
        calls.put("pause", queue::pause);
        calls.put("resume", queue::resume);
        calls.put("isPaused", queue::isPaused);
        calls.put("stats", queue::stats);
        calls.put("queues", client::queues);
        if (held != null) {
            calls.put("reserve", () -> queue.reserve(Duration.ZERO));
            calls.put("ack", held::ack);
            calls.put("retry", held::retry);
        }
        calls.forEach((name, call) -> assertFails(name, QueueClosedException.class, call, "is closed"));
        assertFails("push", QueueClosedException.class, () -> queue.push("b"), "queue 'closing'");
        assertThat(stays.totalSize()).as("messages that the others see").isEqualTo(held == null ? 0 : 1);
    }
}

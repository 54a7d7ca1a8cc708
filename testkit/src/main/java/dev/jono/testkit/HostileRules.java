package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.UndecodableException;
import dev.jono.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input that is meant to hurt, users' code that throws Errors, and interrupts in every call. */
abstract class HostileRules extends ContractCase {
    /** Tells when somebody makes one. */
    public static final class Gadget {
        static final AtomicInteger MADE = new AtomicInteger();

        /** Counts. */
        public Gadget() {
            MADE.incrementAndGet();
        }
    }

    HostileRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private void pushRaw(String json) {
        jono().queue("orders", Codec.raw())
                .push(EncodedPayload.of(PayloadKind.JSON, json.getBytes(StandardCharsets.UTF_8)));
    }

    private MessageQueue<Object> anything() {
        return jono().queue(
                        "orders",
                        Object.class,
                        QueueOptions.builder()
                                .backoff(Backoff.fixed(Duration.ofHours(1)))
                                .build());
    }

    private void assertUndecodable(MessageQueue<?> queue) {
        UndecodableException failure = catchThrowableOfType(UndecodableException.class, () -> queue.pop(Duration.ZERO));
        assertThat(failure).isNotNull();
        assertThat(failure.queue()).isEqualTo("orders");
        assertThat(failure.id()).isNotEmpty();
        assertThat(failure.raw()).isNotNull();
    }

    @Test
    void jsonNestedAHundredThousandDeepIsUndecodableAndNoMore() throws Exception {
        requires(Capability.SCHEDULE);
        pushRaw("[".repeat(100_000) + "]".repeat(100_000));
        assertUndecodable(anything());
        anything().push("still alive");
        assertThat(popped(anything()).payload()).isEqualTo("still alive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"dev.jono.testkit.HostileRules$Gadget\",{}]",
                "{\"@class\":\"dev.jono.testkit.HostileRules$Gadget\"}",
                "{\"@type\":\"dev.jono.testkit.HostileRules$Gadget\"}"
            })
    void jsonThatNamesAClassMakesNoInstance(String json) throws Exception {
        int before = Gadget.MADE.get();
        pushRaw(json);
        Object payload = popped(anything()).payload();
        assertThat(payload).isInstanceOfAny(List.class, Map.class);
        assertThat(Gadget.MADE).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "", " ", "{} {}", "{\"a\":1", "\ufeff", "NaN", "01"})
    void textThatIsNoPayloadIsUndecodable(String json) {
        requires(Capability.SCHEDULE);
        pushRaw(json);
        assertUndecodable(anything());
    }

    @Test
    void numberOfAMillionDigitsIsUndecodableOrExactButNeverHangs() {
        pushRaw("1".repeat(900_000));
        CompletableFuture<Object> pop = inBackground(() -> anything().pop(Duration.ZERO));
        awaitReal("the pop to end", pop::isDone);
        assertThat(pop.handle((found, failure) -> failure == null || failure instanceof UndecodableException)
                        .join())
                .isTrue();
    }

    @Test
    void codecThatThrowsAnErrorFailsItsOwnMessageOnly() throws Exception {
        Codec<String> angry = new Codec<>() {
            @Override
            public EncodedPayload encode(String payload, Headers headers) {
                if (payload.equals("angry")) {
                    throw new StackOverflowError("a test's");
                }
                return EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public String decode(EncodedPayload payload, Headers headers) {
                if (payload.text().equals("bad")) {
                    throw new NoClassDefFoundError("a test's");
                }
                return payload.text();
            }
        };
        MessageQueue<String> queue = jono().queue("orders", angry);
        assertThatThrownBy(() -> queue.push("angry")).isInstanceOf(EncodingException.class);
        assertThatThrownBy(() -> queue.pushAsync("angry").join()).hasCauseInstanceOf(EncodingException.class);
        queue.pushAll(List.of("a", "bad", "b"));
        List<Message<String>> found = queue.pop(3, Duration.ZERO);
        assertThat(found.stream().map(Message::payload)).containsExactly("a", "b");
    }

    @Test
    void handlerThatThrowsAnErrorIsRetriedAndTheWorkerGoesOn() {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        AtomicInteger deliveries = new AtomicInteger();
        Worker worker = jono().worker()
                .from(queue, (payload, delivery) -> {
                    if (deliveries.incrementAndGet() <= 2) {
                        throw new LinkageError("a test's");
                    }
                })
                .start();
        queue.pushAll(List.of("a", "b"));
        passUntil("both to be handled", seconds(60), () -> queue.totalSize() == 0);
        assertThat(deliveries).hasValue(4);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void callbackThatThrowsHoldsUpNobody() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAsync("a").thenRun(() -> {
            throw new IllegalStateException("a test's");
        });
        track(queue.pushAsync("b")).join();
        assertThat(popAll(queue)).containsExactly("a", "b");
    }

    @Test
    void callbackThatBlocksHoldsUpNobody() throws Exception {
        Faults between = new Faults().hold(Call.INSERT);
        MessageQueue<String> queue = orders(client(between));
        CompletableFuture<String> gate = track(new CompletableFuture<>());
        CompletableFuture<String> blocked = track(queue.pushAsync("a").thenApply(result -> gate.join()));
        between.release(Call.INSERT);
        for (int i = 0; i < 20; i++) {
            track(queue.pushAsync("m" + i)).join();
        }
        assertThat(blocked).isNotDone();
        assertThat(queue.pop(30, Duration.ZERO)).hasSize(21);
        gate.complete("open");
    }

    /** Only waiting pop and reserve end by an interrupt; all others go on, and leave the flag set. */
    @Test
    void interruptEndsNoCallButTheWaitingOnes() throws Exception {
        MessageQueue<String> queue = orders();
        String id = queue.push("a").id();
        Map<String, Callable<?>> calls = new LinkedHashMap<>();
        calls.put("push", () -> queue.push("b"));
        calls.put("pushAll", () -> queue.pushAll(List.of("c", "d")));
        calls.put("counts", queue::counts);
        calls.put("nextMaturity", queue::nextMaturity);
        calls.put("pause", () -> ran(queue::pause));
        calls.put("resume", () -> ran(queue::resume));
        calls.put("isPaused", queue::isPaused);
        calls.put("stats", queue::stats);
        calls.put("queues", jono()::queues);
        if (declared(Capability.BROWSE)) {
            calls.put("browse", () -> queue.browse(null, 10));
            calls.put("get", () -> queue.get(id));
        }
        if (declared(Capability.RESERVE)) {
            Reservation<String> one = reserved(queue);
            calls.put("extend", () -> ran(() -> one.extend(Duration.ofMinutes(1))));
            calls.put("release", () -> ran(one::release));
        }
        if (declared(Capability.REMOVE)) {
            calls.put("remove", () -> {
                assertThat(queue.remove(id)).isEqualTo(RemoveOutcome.REMOVED);
                return "removed";
            });
        }
        calls.put("purge", queue::purge);
        for (Map.Entry<String, Callable<?>> call : calls.entrySet()) {
            CompletableFuture<Boolean> interrupted = inBackground(() -> {
                Thread.currentThread().interrupt();
                call.getValue().call();
                return Thread.interrupted();
            });
            awaitReal(call.getKey() + " to end", interrupted::isDone);
            assertThat(interrupted.join()).as("the flag after " + call.getKey()).isTrue();
        }
        assertThat(queue.totalSize()).isZero();
    }

    private static String ran(Runnable call) {
        call.run();
        return "ran";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitingCallOnAnInterruptedThreadEndsAndLosesNothing(boolean reserves) throws Exception {
        if (reserves) {
            requires(Capability.RESERVE);
        }
        MessageQueue<String> queue = orders();
        CompletableFuture<Optional<?>> waiting = inBackground(() -> {
            Thread.currentThread().interrupt();
            return reserves ? queue.reserve(seconds(1_000)) : queue.pop(seconds(1_000));
        });
        awaitReal("the wait to end", waiting::isDone);
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(InterruptedException.class);
        queue.push("a");
        awaitReal("the message to be ready", () -> queue.size() == 1);
        assertThat(popAll(queue)).containsExactly("a");
    }
}

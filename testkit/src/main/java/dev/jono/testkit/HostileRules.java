package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueOptions;
import dev.jono.RetryOutcome;
import dev.jono.UndecodableException;
import dev.jono.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hostile payloads, and user code that throws Errors or blocks. */
abstract class HostileRules extends ContractCase {
    /** A class that a decoder must never instantiate. It counts its instances. */
    public static final class Gadget {
        static final AtomicInteger MADE = new AtomicInteger();

        /** Counts the instance. */
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
        assertThat(failure)
                .hasMessageContaining("payload of message " + failure.id() + " in queue 'orders'")
                .hasMessageContaining("cannot be decoded");
        assertThat(queue.totalSize()).as("messages kept").isEqualTo(1);
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
    void numberOfAMillionDigitsIsRefusedOrUndecodableOrExactButNeverHangs() {
        CompletableFuture<Object> push = inBackground(() -> {
            pushRaw("1".repeat(900_000));
            return "stored";
        });
        awaitReal("the push to end", push::isDone);
        if (push.isCompletedExceptionally()) {
            assertThatThrownBy(push::join).hasCauseInstanceOf(EncodingException.class);
            assertThat(anything().totalSize()).isZero();
            return;
        }
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
        assertThatThrownBy(() -> queue.push("angry"))
                .isInstanceOf(EncodingException.class)
                .hasMessageContaining("push to queue 'orders': a payload of java.lang.String cannot be encoded");
        assertThatThrownBy(() -> queue.pushAsync("angry").join()).hasCauseInstanceOf(EncodingException.class);
        queue.pushAll(List.of("a", "bad", "b"));
        List<Message<String>> found = queue.pop(3, Duration.ZERO);
        assertThat(found.stream().map(Message::payload)).containsExactly("a", "b");
        if (declared(Capability.RESERVE)) {
            assertThat(queue.totalSize()).as("the bad one is kept").isEqualTo(1);
        }
    }

    @Test
    void payloadThatCannotBeWrittenAsJsonIsRefused() throws Exception {
        Object deep = List.of();
        for (int i = 0; i < 100_000; i++) {
            deep = List.of(deep);
        }
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        MessageQueue<Object> queue = anything();
        for (Object bad : List.of(List.of(deep), new IdentityPayload(itself))) {
            assertThatThrownBy(() -> queue.push(bad))
                    .isInstanceOf(EncodingException.class)
                    .hasMessageContaining("push to queue 'orders': a payload of")
                    .hasMessageContaining("cannot be encoded");
        }
        queue.push("still alive");
        assertThat(popped(queue).payload()).isEqualTo("still alive");
        assertThat(queue.totalSize()).isZero();
    }

    /** Holds a list that contains itself. A plain list would recurse when tests compare it. */
    public record IdentityPayload(List<Object> endless) {}

    /** A failure to compute the delay must not lose the message. */
    @Test
    void backoffThatThrowsCostsNoMessage() throws Exception {
        requires(Capability.SCHEDULE, Capability.RESERVE);
        QueueOptions broken = QueueOptions.builder()
                .backoff(attempt -> {
                    throw new IllegalStateException("a test's");
                })
                .build();
        pushRaw("{");
        assertUndecodable(jono().queue("orders", Object.class, broken));
        MessageQueue<String> other = queue(jono(), "other", broken);
        other.push("a");
        assertThat(reserved(other).retry()).isEqualTo(RetryOutcome.RETRIED);
        assertThat(other.totalSize()).isEqualTo(1);
    }

    static Stream<Supplier<Error>> errors() {
        return Stream.of(
                () -> new LinkageError("a test's"),
                () -> new AssertionError("a test's"),
                () -> new StackOverflowError("a test's"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void handlerThatThrowsAnErrorIsRetriedAndTheWorkerGoesOn(Supplier<Error> error) {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders();
        AtomicInteger deliveries = new AtomicInteger();
        List<String> handled = new CopyOnWriteArrayList<>();
        Worker worker = jono().worker()
                .from(queue, (payload, delivery) -> {
                    if (deliveries.incrementAndGet() <= 2) {
                        throw error.get();
                    }
                    handled.add(payload + delivery.tries());
                })
                .start();
        queue.pushAll(List.of("a", "b"));
        passUntil("both to be handled", seconds(60), () -> queue.totalSize() == 0);
        assertThat(deliveries).hasValue(4);
        assertThat(handled).hasSize(2);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(worker.status().failed()).isEqualTo(2);
    }

    @Test
    void errorOfAHandlerIsToldInTheDeadLetter() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<String> queue = orders(
                jono(), QueueOptions.builder().deadLetter(DeadLetter.after(1)).build());
        queue.push("a");
        Worker worker = jono().worker()
                .from(queue, (payload, delivery) -> {
                    throw new NoClassDefFoundError("a test's");
                })
                .start();
        passUntil("the dead letter", seconds(60), () -> jono().deadLetters().totalSize() == 1);
        assertThat(worker.stop(Duration.ofSeconds(20))).isTrue();
        Message<EncodedPayload> dead = popped(jono().deadLetters());
        assertThat(dead.payload().text()).isEqualTo("a");
        assertThat(dead.headers().get(Headers.DL_ERROR)).isEqualTo("java.lang.NoClassDefFoundError: a test's");
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
        Faults faults = new Faults().hold(Call.INSERT);
        MessageQueue<String> queue = orders(client(faults));
        CompletableFuture<String> gate = track(new CompletableFuture<>());
        CompletableFuture<String> blocked = track(queue.pushAsync("a").thenApply(result -> gate.join()));
        faults.release(Call.INSERT);
        for (int i = 0; i < 20; i++) {
            track(queue.pushAsync("m" + i)).join();
        }
        assertThat(blocked).isNotDone();
        assertThat(queue.pop(30, Duration.ZERO)).hasSize(21);
        gate.complete("open");
    }
}

package dev.jono.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.PartialFailureException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.UndecodableException;
import dev.jono.internal.fakes.Hooked;
import dev.jono.pipeline.Outcome;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever users' code throws, and however that hurts who looks at it, costs its own message or callback and no more. */
final class HostileUserCodeTest {
    private static final String BAD = "bad";

    private final Hooked hooked = new Hooked();
    private final Queue<String> handled = new ConcurrentLinkedQueue<>();
    private final PrintStream err = System.err;

    @AfterEach
    void close() {
        System.setErr(err);
        hooked.close();
    }

    /** Which piece of users' code fails on the bad message. */
    enum Place {
        HANDLER,
        BATCH_HANDLER,
        HANDLE_INTERCEPTOR,
        RECEIVE_INTERCEPTOR,
        CODEC,
        BACKOFF,
        PROCESSOR,
        PROCESSOR_BACKOFF
    }

    private static final class Trap {
        private final Place here;
        private final HostileFailures failure;

        Trap(Place here, HostileFailures failure) {
            this.here = here;
            this.failure = failure;
        }

        <V> V at(Place place, String payload, V value) {
            return place == here && payload.equals(BAD) ? failure.strike(value) : value;
        }

        Backoff backoff(Place place) {
            return attempt -> at(place, BAD, Duration.ZERO);
        }

        Codec<String> codec() {
            return Codec.string().map(text -> text, text -> at(Place.CODEC, text, text));
        }

        Interceptor interceptor() {
            return new Interceptor() {
                @Override
                public EncodedPayload receive(String queue, Headers headers, EncodedPayload payload) {
                    return queue.equals("orders") ? at(Place.RECEIVE_INTERCEPTOR, payload.text(), payload) : payload;
                }

                @Override
                public void handle(Message<?> message, Handling handling) throws Exception {
                    at(Place.HANDLE_INTERCEPTOR, String.valueOf(message.payload()), "go");
                    handling.proceed();
                }
            };
        }
    }

    static Stream<Arguments> traps() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.of(HostileFailures.values()).map(failure -> Arguments.of(place, failure)));
    }

    /** The lease is an hour: what is dealt with at all was dealt with because it failed. */
    @ParameterizedTest
    @MethodSource("traps")
    void failureInAWorkerCostsItsOwnMessageOnly(Place place, HostileFailures failure) {
        Trap trap = new Trap(place, failure);
        QueueFactory jono = hooked.connect(hooked.builder().interceptor(trap.interceptor()));
        MessageQueue<String> orders = jono.queue(
                "orders",
                trap.codec(),
                QueueOptions.builder()
                        .lease(Duration.ofHours(1))
                        .deadLetter(DeadLetter.after(2))
                        .backoff(trap.backoff(Place.BACKOFF))
                        .build());
        orders.pushAll(List.of("a", BAD, "b"));
        Function<Duration, Boolean> stop = started(jono, orders, trap);
        await("the bad one's dead letter").until(() -> jono.deadLetters().size() == 1);
        await("the others' ack").until(() -> orders.totalSize() == 0);
        assertThat(handled).contains("a", "b");
        assertThat(CompletableFuture.supplyAsync(() -> stop.apply(Duration.ofSeconds(1))))
                .succeedsWithin(Duration.ofSeconds(5)) // half of what an answer may take that does not come
                .isEqualTo(true);
        assertThat(orders.drain(Duration.ofSeconds(5))).isTrue();
    }

    private Function<Duration, Boolean> started(QueueFactory jono, MessageQueue<String> orders, Trap trap) {
        return switch (trap.here) {
            case BATCH_HANDLER ->
                jono.worker()
                        .concurrency(3)
                        .fromBatch(orders, 3, batch -> {
                            for (Reservation<String> each : batch) {
                                trap.at(Place.BATCH_HANDLER, each.payload(), "go");
                                each.ack();
                                handled.add(each.payload());
                            }
                        })
                        .start()::stop;
            case PROCESSOR, PROCESSOR_BACKOFF ->
                jono.pipeline("shop")
                        .retryDelay(trap.backoff(Place.PROCESSOR_BACKOFF))
                        .sink(orders, (payload, message) -> {
                            trap.at(Place.PROCESSOR, payload, "go");
                            return payload.equals(BAD) ? Outcome.retry() : done(payload);
                        })
                        .start()::stop;
            default ->
                jono.worker()
                        .from(orders, (payload, delivery) -> {
                            trap.at(Place.HANDLER, payload, "go");
                            if (payload.equals(BAD)) {
                                throw new IllegalStateException("a test's");
                            }
                            handled.add(payload);
                        })
                        .start()::stop;
        };
    }

    private Outcome done(String payload) {
        handled.add(payload);
        return Outcome.drop();
    }

    // ---- pop and reserve ------------------------------------------------------------------------------------

    interface Take {
        List<String> from(MessageQueue<String> orders) throws Exception;
    }

    private static List<String> payloads(List<? extends Message<String>> messages) {
        return messages.stream().map(Message::payload).toList();
    }

    private static List<String> acked(List<Reservation<String>> held) {
        held.forEach(Reservation::ack);
        return payloads(held);
    }

    static Stream<Arguments> takes() {
        Duration wait = Duration.ofSeconds(5);
        return Stream.of(
                        take("pop", orders -> payloads(orders.pop(3, wait))),
                        take(
                                "popAsync",
                                orders -> payloads(orders.popAsync(3, wait).join())),
                        take("reserve", orders -> acked(orders.reserve(3, wait))),
                        take(
                                "reserveAsync",
                                orders -> acked(orders.reserveAsync(3, wait, ReserveOptions.none())
                                        .join())))
                .flatMap(take -> Stream.of(HostileFailures.values())
                        .map(failure -> Arguments.of(take.get()[0], take.get()[1], failure)));
    }

    private static Arguments take(String name, Take take) {
        return Arguments.of(name, take);
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("takes")
    void codecThatFailsCostsATakersOwnMessageOnly(String name, Take take, HostileFailures failure) throws Exception {
        Trap trap = new Trap(Place.CODEC, failure);
        QueueFactory jono = hooked.connect();
        MessageQueue<String> orders = jono.queue(
                "orders",
                trap.codec(),
                QueueOptions.builder()
                        .lease(Duration.ofHours(1))
                        .backoff(Backoff.fixed(Duration.ofHours(1)))
                        .build());
        orders.pushAll(List.of("a", BAD, "b"));
        assertThat(take.from(orders)).containsExactly("a", "b");
        await("it to be kept for later").until(() -> orders.counts().scheduled() == 1);
        jono.queue("orders", Codec.string()).purge();
        orders.push(BAD);
        assertThatThrownBy(() -> take.from(orders))
                .extracting(thrown -> thrown instanceof UndecodableException ? thrown : thrown.getCause())
                .isInstanceOf(UndecodableException.class);
        assertThat(orders.totalSize()).isEqualTo(1);
    }

    // ---- push -----------------------------------------------------------------------------------------------

    private static Codec<String> unwritable(HostileFailures failure) {
        return Codec.string().map(text -> text.equals(BAD) ? failure.strike(text) : text, text -> text);
    }

    private static Interceptor onPush(HostileFailures failure) {
        return new Interceptor() {
            @Override
            public OutgoingMessage push(OutgoingMessage message) {
                return message.payload().text().equals(BAD) ? failure.strike(message) : message;
            }

            @Override
            public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable whyNot) {
                failure.strike(message);
            }
        };
    }

    private void assertPushesFailAlone(MessageQueue<String> orders) {
        assertThatThrownBy(() -> orders.push(BAD)).isInstanceOf(EncodingException.class);
        assertThatThrownBy(() -> orders.pushAsync(BAD).join()).hasCauseInstanceOf(EncodingException.class);
        PartialFailureException partly =
                catchThrowableOfType(PartialFailureException.class, () -> orders.pushAll(List.of("a", BAD, "b")));
        assertThat(partly).isNotNull();
        assertThat(orders.pushAllAsync(List.of("c", BAD, "d"), PushOptions.none()))
                .failsWithin(Duration.ofSeconds(5));
        orders.push("e");
        orders.pushAsync("f").join();
        assertThat(orders.size()).isEqualTo(6);
        assertThat(orders.drain(Duration.ofSeconds(5))).as("no push is pending").isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void codecThatFailsCostsAPushersOwnMessageOnly(HostileFailures failure) {
        assertPushesFailAlone(hooked.connect().queue("orders", unwritable(failure)));
    }

    @ParameterizedTest
    @EnumSource
    void interceptorThatFailsCostsAPushersOwnMessageOnly(HostileFailures failure) {
        QueueFactory jono = hooked.connect(hooked.builder().interceptor(onPush(failure)));
        assertPushesFailAlone(jono.queue("orders", Codec.string()));
    }

    // ---- callbacks ------------------------------------------------------------------------------------------

    /** The last that was hung on a future is called first. */
    private static List<CompletableFuture<?>> hangOn(CompletableFuture<?> future, HostileFailures failure) {
        List<CompletableFuture<?>> others = new ArrayList<>();
        others.add(future.thenRun(() -> {}));
        future.thenRun(() -> failure.strike("never"));
        others.add(future.thenRun(() -> {}));
        future.thenRun(() -> failure.strike("never"));
        return others;
    }

    @ParameterizedTest
    @EnumSource
    void callbackThatFailsCostsNoOtherCallback(HostileFailures failure) {
        CompletableFuture<Object> gate = new CompletableFuture<>();
        hooked.on("insert", (request, real) -> gate.thenCompose(open -> called(real)));
        MessageQueue<String> orders = hooked.connect().queue("orders", Codec.string());
        List<CompletableFuture<?>> others = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            others.addAll(hangOn(orders.popAsync(Duration.ofHours(1)), failure));
            others.addAll(hangOn(orders.pushAsync("a"), failure));
        }
        gate.complete("open");
        assertThat(others).allSatisfy(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(5)));
        CompletableFuture<Optional<Message<String>>> next = orders.popAsync(Duration.ofHours(1));
        orders.pushAsync("last").join();
        assertThat(next).succeedsWithin(Duration.ofSeconds(5));
    }

    private static CompletableFuture<Object> called(java.util.concurrent.Callable<Object> real) {
        try {
            return ((CompletableFuture<?>) real.call()).thenApply(answer -> (Object) answer);
        } catch (Exception e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    // ---- logger ---------------------------------------------------------------------------------------------

    /** Where the test's logger writes: as a full disk, or a broken appender. */
    private static PrintStream broken() {
        return new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
            @Override
            public void println(@Nullable String line) {
                throw new LinkageError("a test's: println");
            }
        };
    }

    @Test
    void loggerThatThrowsCostsNoMessage() {
        QueueFactory jono = hooked.connect();
        MessageQueue<String> orders = jono.queue(
                "orders",
                Codec.string(),
                QueueOptions.builder()
                        .lease(Duration.ofHours(1))
                        .deadLetter(DeadLetter.after(2))
                        .backoff(attempt -> HostileFailures.MESSAGE_THROWS.strike(Duration.ZERO))
                        .build());
        orders.pushAll(List.of("a", BAD, "b"));
        System.setErr(broken());
        Trap trap = new Trap(Place.HANDLER, HostileFailures.MESSAGE_THROWS);
        Function<Duration, Boolean> stop = started(jono, orders, trap);
        MessageQueue<String> other = jono.queue("other", Codec.string());
        List<CompletableFuture<?>> callbacks =
                hangOn(other.popAsync(Duration.ofHours(1)), HostileFailures.MESSAGE_THROWS);
        other.push("a");
        callbacks.forEach(each -> assertThat(each).succeedsWithin(Duration.ofSeconds(5)));
        await().until(() -> orders.totalSize() == 0 && jono.deadLetters().size() == 1);
        assertThat(CompletableFuture.supplyAsync(() -> stop.apply(Duration.ofSeconds(1))))
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo(true);
        assertThat(handled).containsExactly("a", "b");
    }
}

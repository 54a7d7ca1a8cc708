package dev.jono.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.RestoreRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a storage does, each call ends, its queue goes on, and no message is lost. */
final class HostileStorageTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    private MessageQueue<String> orders(Duration timeout) {
        return hooked.connect(hooked.builder()
                        .queueDefaults(
                                QueueOptions.builder().operationTimeout(timeout).build()))
                .queue("orders", String.class);
    }

    private static Hooked.Hook hook(String fault) {
        return switch (fault) {
            case "throws" ->
                (request, real) -> {
                    throw new IllegalStateException("a test's");
                };
            case "throws an error" ->
                (request, real) -> {
                    throw new NoClassDefFoundError("a test's");
                };
            case "returns null" -> (request, real) -> null;
            case "answers null" -> (request, real) -> CompletableFuture.completedFuture(null);
            case "answers null later" -> (request, real) -> CompletableFuture.supplyAsync(() -> null);
            case "fails" -> (request, real) -> CompletableFuture.failedFuture(new NoClassDefFoundError("a test's"));
            case "never answers" -> (request, real) -> new CompletableFuture<>();
            default -> throw new IllegalArgumentException(fault);
        };
    }

    /** What a caller does, and what the storage is asked for then. */
    @SuppressWarnings("ImmutableEnumChecker") // its lambdas have no state
    enum Step {
        PUSH("insert", queue -> queue.push("b")),
        POP("take", queue -> await(() -> queue.pop(Duration.ofMinutes(1)))),
        RESERVE("claim", queue -> await(() -> queue.reserve(Duration.ofMinutes(1)))),
        COUNTS("counts", MessageQueue::counts),
        REMOVE("remove", queue -> queue.remove("x")),
        PURGE("purge", MessageQueue::purge),
        DELETE("delete", MessageQueue::delete);

        final String method;
        final Consumer<MessageQueue<String>> call;

        Step(String method, Consumer<MessageQueue<String>> call) {
            this.method = method;
            this.call = call;
        }

        private interface Waiting {
            Object call() throws InterruptedException;
        }

        private static void await(Waiting call) {
            try {
                call.call();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                        "throws",
                        "throws an error",
                        "returns null",
                        "answers null",
                        "answers null later",
                        "fails",
                        "never answers")
                .flatMap(fault -> Stream.of(Step.values()).map(step -> Arguments.of(step, fault)));
    }

    @ParameterizedTest(name = "{0}: the storage {1}")
    @MethodSource("faults")
    void theCallFailsAndTheNextOneWorks(Step step, String fault) throws Exception {
        MessageQueue<String> orders = orders(Duration.ofMillis(250));
        orders.push("a");
        hooked.on(step.method, hook(fault));
        assertThatThrownBy(() -> step.call.accept(orders)).isInstanceOfAny(RuntimeException.class, Error.class);
        hooked.off(step.method);
        orders.push("c");
        assertThat(orders.pop(5, Duration.ofSeconds(1))).isNotEmpty();
    }

    @ParameterizedTest(name = "{0}: the storage {1}")
    @MethodSource("faults")
    void theFutureFails(Step step, String fault) throws Exception {
        MessageQueue<String> orders = orders(Duration.ofMillis(250));
        hooked.on(step.method, hook(fault));
        CompletableFuture<?> future = switch (step) {
            case PUSH -> orders.pushAsync("a");
            case POP -> orders.popAsync(Duration.ofMinutes(1));
            case RESERVE -> orders.reserveAsync(Duration.ofMinutes(1));
            case COUNTS, REMOVE, PURGE, DELETE ->
                CompletableFuture.failedFuture(new IllegalStateException("blocking only"));
        };
        assertThat(future).failsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void claimThatIsAnsweredTooLateGivesItsMessagesBack() throws Exception {
        MessageQueue<String> orders = orders(Duration.ofMillis(250));
        for (String method : List.of("take", "claim")) {
            orders.push(method);
            CompletableFuture<Object> late = new CompletableFuture<>();
            AtomicBoolean first = new AtomicBoolean(true);
            hooked.on(method, (request, real) -> {
                Object done = real.call();
                return first.getAndSet(false) ? late.thenCompose(go -> (CompletableFuture<?>) done) : done;
            });
            assertThatThrownBy(() -> {
                        if (method.equals("take")) {
                            orders.pop(Duration.ofMinutes(1));
                        } else {
                            orders.reserve(Duration.ofMinutes(1));
                        }
                    })
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThat(orders.pop(Duration.ZERO)).as("the queue does not hang").isEmpty();
            late.complete("now");
            await().until(() -> orders.size() == 1);
            assertThat(orders.pop(Duration.ZERO).orElseThrow().tries()).isZero();
        }
    }

    @Test
    void lostClaimsAreRepeatedWithPauses() {
        MessageQueue<String> orders = orders(Duration.ofSeconds(1));
        AtomicInteger claims = new AtomicInteger();
        hooked.on("claim", (request, real) -> {
            claims.incrementAndGet();
            return CompletableFuture.failedFuture(new OutcomeUnknownException("lost", null, null, null));
        });
        assertThatThrownBy(() -> orders.reserve(Duration.ofSeconds(5))).isInstanceOf(OutcomeUnknownException.class);
        assertThat(claims.get()).isBetween(2, 20);
    }

    @Test
    void restoreThatFailsAtFirstIsRepeated() {
        MessageQueue<String> orders = orders(Duration.ofSeconds(10));
        orders.push("a");
        CompletableFuture<Object> reply = new CompletableFuture<>();
        hooked.on("take", (request, real) -> {
            Object done = real.call();
            return reply.thenCompose(go -> (CompletableFuture<?>) done);
        });
        AtomicInteger restores = new AtomicInteger();
        hooked.on("restore", (request, real) -> {
            if (restores.getAndIncrement() == 0) {
                throw new IllegalStateException("a test's");
            }
            return real.call();
        });
        orders.popAsync(Duration.ofMinutes(1)).cancel(true);
        reply.complete("now");
        await().until(() -> orders.size() == 1);
        assertThat(restores).hasValue(2);
    }

    /** Another token after the time limit would store a second copy of what somebody has taken meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"its replies are lost", "it is not answered"})
    void restoreIsRepeatedUnderItsTokenBeyondTheTimeLimit(String fault) {
        MessageQueue<String> orders = orders(Duration.ofMillis(100));
        orders.push("a");
        CompletableFuture<Object> reply = new CompletableFuture<>();
        hooked.on("take", (request, real) -> {
            Object done = real.call();
            return reply.thenCompose(go -> (CompletableFuture<?>) done);
        });
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean answered = new AtomicBoolean();
        List<RestoreRequest> restores = new CopyOnWriteArrayList<>();
        hooked.on("restore", (request, real) -> {
            restores.add((RestoreRequest) request);
            boolean last = over.get();
            Object done = real.call();
            if (last) {
                answered.set(true);
                return done;
            }
            return fault.equals("it is not answered")
                    ? new CompletableFuture<>()
                    : CompletableFuture.failedFuture(new OutcomeUnknownException("lost", null, null, null));
        });
        orders.popAsync(Duration.ofMinutes(1)).cancel(true);
        reply.complete("now");
        hooked.off("take");
        long start = System.nanoTime();
        await().until(() -> restores.size() > 1 && System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(orders.popAsync(Duration.ZERO).join()).isPresent();
        over.set(true);
        await().untilTrue(answered);
        assertThat(restores.stream().map(RestoreRequest::token).distinct()).hasSize(1);
        assertThat(orders.totalSize()).isZero();
    }

    @Test
    void signallerIsClosedWhenTheStatsDoNotOpen() {
        AtomicInteger closed = new AtomicInteger();
        hooked.on("close", (request, real) -> {
            closed.incrementAndGet();
            return real.call();
        });
        QueueFactoryBuilder builder = hooked.builder().stats("nosuch:");
        assertThatThrownBy(builder::connect).hasMessageContaining("nosuch");
        assertThat(closed).as("backend and signaller").hasValue(2);
    }

    @Test
    void executorThatRefusesFailsOrServesButNeverHangs() throws Exception {
        ExecutorService refusing = Executors.newSingleThreadExecutor();
        refusing.shutdown();
        QueueFactory jono = hooked.connect(hooked.builder().executor(refusing));
        MessageQueue<String> orders = jono.queue("orders", String.class);
        assertThat(orders.pushAsync("a")).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(orders.popAsync(Duration.ofSeconds(10))).succeedsWithin(10, TimeUnit.SECONDS);
        orders.push("b");
        Reservation<String> held = orders.reserve(Duration.ZERO).orElseThrow();
        assertThat(held.ackAsync()).succeedsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void workerWhoseExecutorRefusesPausesAndGivesBackUncounted() throws Exception {
        MessageQueue<String> orders = orders(Duration.ofSeconds(10));
        AtomicInteger claims = new AtomicInteger();
        hooked.on("claim", (request, real) -> {
            claims.incrementAndGet();
            return real.call();
        });
        QueueFactory jono = hooked.connect();
        AtomicInteger refused = new AtomicInteger();
        var worker = jono.worker()
                .executor(task -> {
                    refused.incrementAndGet();
                    throw new OutOfMemoryError("unable to create native thread");
                })
                .from(jono.queue("orders", String.class), (payload, delivery) -> {})
                .start();
        orders.push("a");
        await().until(() -> refused.get() > 0 && orders.size() == 1);
        assertThat(worker.stop(Duration.ofSeconds(10))).isTrue();
        assertThat(claims.get()).isLessThan(5);
        assertThat(orders.pop(Duration.ZERO).orElseThrow().tries()).isZero();
    }

    @Test
    void failuresAreOfTheProjectsOwnKind() {
        MessageQueue<String> orders = orders(Duration.ofMillis(250));
        hooked.on("insert", hook("throws"));
        assertThatThrownBy(() -> orders.push("a"))
                .isInstanceOf(JonoException.class)
                .hasMessageContaining("orders")
                .hasRootCauseMessage("a test's");
    }
}

package dev.jono.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.EncodingException;
import dev.jono.Lease;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.Worker;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A step that failed has not settled its reservation: who tries again, or closes it, finds it unsettled. */
final class SettleFailureTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    private static StorageException down() {
        return new StorageException("not primary", null, null, null);
    }

    private MessageQueue<String> orders(QueueFactory jono) {
        return jono.queue(
                "orders",
                String.class,
                QueueOptions.builder().backoff(Backoff.fixed(Duration.ZERO)).build());
    }

    static Stream<Arguments> steps() {
        return Stream.of(
                step("ack", "ack", Lease::ack),
                step("release", "release", Lease::release),
                step("retry", "release", Lease::retry),
                step("reject", "move", lease -> lease.reject("no")),
                step("moveTo", "move", lease -> lease.moveTo("elsewhere")),
                step("moveTo a name that there cannot be", "none", lease -> lease.moveTo("no such name!")));
    }

    private static Arguments step(String name, String method, Consumer<Lease> step) {
        return Arguments.of(name, method, step);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void failedStepLeavesTheReservationToBeSettled(String name, String method, Consumer<Lease> step) throws Exception {
        MessageQueue<String> orders = orders(hooked.connect());
        orders.push("a");
        try (Reservation<String> held = orders.reserve(Duration.ZERO).orElseThrow()) {
            hooked.on(method, (request, real) -> CompletableFuture.failedFuture(down()));
            assertThatThrownBy(() -> step.accept(held)).isInstanceOf(RuntimeException.class);
            assertThat(held.isSettled()).isFalse();
            hooked.off(method);
        }
        assertThat(orders.counts().ready()).as("retried by close").isEqualTo(1);
    }

    private static CompletableFuture<Object> called(Callable<Object> real) {
        try {
            return ((CompletionStage<?>) real.call()).toCompletableFuture().thenApply(answer -> (Object) answer);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the storage cannot hold is refused alone: those that travel with it go their way. */
    @Test
    void moveThatCannotBeStoredFailsItselfAlone() throws Exception {
        MessageQueue<String> orders = orders(hooked.connect());
        orders.pushAll(List.of("a", "large", "c"));
        List<Reservation<String>> held = orders.reserve(3, Duration.ZERO);
        CompletableFuture<Void> first = new CompletableFuture<>();
        AtomicInteger largest = new AtomicInteger();
        hooked.on("move", (request, real) -> {
            List<MoveItem> items = ((MoveRequest) request).items();
            largest.accumulateAndGet(items.size(), Math::max);
            boolean large = items.stream()
                    .anyMatch(item -> item.receipt().id().equals(held.get(1).id()));
            return first.thenCompose(gone -> large
                    ? CompletableFuture.failedFuture(new EncodingException(
                            "too large", "orders", held.get(1).id(), null))
                    : called(real));
        });
        // One is under way alone; the others gather behind it.
        List<CompletableFuture<Void>> moves =
                held.stream().map(one -> one.moveToAsync("elsewhere")).toList();
        first.complete(null);
        moves.get(0).get(10, TimeUnit.SECONDS);
        moves.get(2).get(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> moves.get(1).get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(EncodingException.class);
        assertThat(largest.get()).as("they travelled together").isEqualTo(2);
        assertThat(held.get(1).isSettled()).isFalse();
    }

    @Test
    void failedExtendDoesNotUndoASettle() throws Exception {
        MessageQueue<String> orders = orders(hooked.connect());
        orders.push("a");
        Reservation<String> held = orders.reserve(Duration.ZERO).orElseThrow();
        held.ack();
        hooked.on("extend", (request, real) -> CompletableFuture.failedFuture(down()));
        assertThatThrownBy(() -> held.extend(Duration.ofMinutes(1))).isInstanceOf(StorageException.class);
        assertThat(held.isSettled()).isTrue();
    }

    @Test
    void workerRetriesWhatItsHandlerCouldNotMove() {
        QueueFactory jono = hooked.connect();
        MessageQueue<String> orders = orders(jono);
        AtomicInteger deliveries = new AtomicInteger();
        hooked.on("move", (request, real) -> CompletableFuture.failedFuture(down()));
        Worker worker = jono.worker()
                .from(orders, (payload, delivery) -> {
                    if (deliveries.incrementAndGet() == 1) {
                        delivery.moveTo("elsewhere");
                    }
                })
                .start();
        orders.push("a");
        // The lease is 30 s: it comes back by a retry.
        await().until(() -> orders.totalSize() == 0);
        assertThat(deliveries).hasValue(2);
        worker.close();
    }

    @Test
    void eachOfAListIsToldWhatBecameOfIt() throws Exception {
        Hooked.Hook hang = (request, real) -> new CompletableFuture<Object>();
        QueueFactory jono = hooked.connect(hooked.builder()
                .queueDefaults(QueueOptions.builder()
                        .operationTimeout(Duration.ofMillis(300))
                        .maxPendingMessages(1)
                        .build()));
        MessageQueue<String> orders = jono.queue("orders", String.class);
        for (int i = 0; i < 3000; i++) {
            orders.pushAsync("m" + i);
        }
        await().until(() -> orders.totalSize() > 0);
        List<Reservation<String>> held = orders.reserve(10, Duration.ZERO);
        orders.reserve(1, Duration.ZERO).forEach(first -> {
            hooked.on("ack", hang);
            first.ackAsync();
        });
        PartialFailureException failure =
                catchThrowableOfType(PartialFailureException.class, () -> orders.ackAll(held));
        assertThat(failure).isNotNull();
        assertThat(failure.results()).hasSize(held.size());
    }
}

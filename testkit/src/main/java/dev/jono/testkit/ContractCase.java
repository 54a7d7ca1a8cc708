package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.spi.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The base of the tests of the public API. Each test gets an empty storage and clients. After each test, no message may
 * be reserved, every call must have ended, and no thread of the engine may be left.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(EngineThreads.class)
abstract class ContractCase {
    /** A poll interval so long that no test passes by polling. */
    static final Duration NO_POLL = Duration.ofHours(10);

    private final Supplier<ContractSetup> opener;
    private final List<QueueFactory> clients = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<?>> calls = new CopyOnWriteArrayList<>();
    private final List<Faults> faults = new CopyOnWriteArrayList<>();
    private final Set<String> queues = new ConcurrentSkipListSet<>();
    private @Nullable ContractSetup setup;
    private @Nullable QueueFactory first;
    private boolean mayLeaveReserved;

    ContractCase(Supplier<ContractSetup> opener) {
        this.opener = opener;
    }

    @BeforeEach
    final void openStorage() {
        setup = opener.get();
    }

    @AfterEach
    final void checkTheWholeState() {
        try {
            faults.forEach(Faults::releaseAll);
            Awaitility.await("every call of the test to end")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Duration.ofSeconds(5))
                    .until(() -> calls.stream().allMatch(CompletableFuture::isDone));
            if (!mayLeaveReserved && !queues.isEmpty()) {
                assertNothingIsReserved();
            }
        } finally {
            closeAll();
        }
    }

    private void assertNothingIsReserved() {
        QueueFactory look = client();
        for (String name : List.copyOf(queues)) {
            assertThat(look.queue(name, Codec.raw()).reservedSize())
                    .as("messages that the test left reserved in queue '%s'", name)
                    .isZero();
        }
    }

    private void closeAll() {
        CompletableFuture<@Nullable Void> closing = inBackground(() -> {
                    clients.forEach(QueueFactory::close);
                    return "closed";
                })
                .thenApply(done -> null);
        try {
            passUntil("clients to close", Duration.ofMinutes(1), closing::isDone);
            closing.join();
        } finally {
            storage().close();
        }
    }

    // ---- the storage and its clients ------------------------------------------------------------------------

    final ContractSetup storage() {
        if (setup == null) {
            throw new IllegalStateException("no storage yet");
        }
        return setup;
    }

    /** Skips the test, with the reason, if the backend does not declare these. */
    final void requires(Capability... needed) {
        for (Capability capability : needed) {
            assumeTrue(declared(capability), () -> "the backend declares no " + capability);
        }
    }

    /** Skips the test, with the reason, if the backend does not recognize a repeated call. */
    final void requiresRepeatable() {
        try (Backend backend = storage().openBackend()) {
            assumeTrue(
                    backend.traits().repeatable(),
                    "the backend does not recognize a repeated call (traits().repeatable())");
        }
    }

    /** Skips the test, with the reason, if the backend never tells that a delivery is the first. */
    final void requiresFirstDelivery() {
        try (Backend backend = storage().openBackend()) {
            assumeTrue(
                    backend.traits().tellsFirstDelivery(),
                    "the backend does not tell first deliveries (traits().tellsFirstDelivery())");
        }
    }

    final boolean declared(Capability capability) {
        return storage().capabilities().contains(capability);
    }

    /** The first client. */
    final QueueFactory jono() {
        if (first == null) {
            first = client();
        }
        return first;
    }

    /** Opens one more client, which acts like another process. */
    final QueueFactory client() {
        return connect(storage().client());
    }

    /** Opens one more client, with faults between it and the storage. */
    final void requiresMovesInSeveralSteps() {
        assumeTrue(storage().movesInSeveralSteps(), "an id is in one queue at a time, so every move is one step");
    }

    final QueueFactory client(Faults between) {
        return connect(builder(between));
    }

    final QueueFactoryBuilder builder(Faults between) {
        faults.add(between);
        UnaryOperator<Backend> wrapper = between::over;
        return storage().client(wrapper);
    }

    /** Connects a client, which is closed after the test. */
    final QueueFactory connect(QueueFactoryBuilder builder) {
        QueueFactory client = builder.connect();
        clients.add(client);
        return client;
    }

    /** The first client's queue "orders" of strings. */
    final MessageQueue<String> orders() {
        return orders(jono());
    }

    final MessageQueue<String> orders(QueueFactory client) {
        return orders(client, QueueOptions.none());
    }

    final MessageQueue<String> orders(QueueFactory client, QueueOptions options) {
        return queue(client, "orders", options);
    }

    /** A queue of strings that retries without delay, and polls only if the options say so. */
    final MessageQueue<String> queue(QueueFactory client, String name, QueueOptions options) {
        queues.add(name);
        return client.queue(
                name,
                Codec.string(),
                options.orElse(QueueOptions.builder()
                        .pollInterval(NO_POLL)
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .build()));
    }

    final MessageQueue<String> queue(String name) {
        return queue(jono(), name, QueueOptions.none());
    }

    /** Allows the test to end with reserved messages. */
    final void leavesReservations() {
        mayLeaveReserved = true;
    }

    // ---- calls ----------------------------------------------------------------------------------------------

    /** Runs an action that may block on a new thread. The test fails if the action does not end. */
    final <R> CompletableFuture<R> inBackground(Callable<R> call) {
        CompletableFuture<R> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(call.call());
                    } catch (Throwable failure) {
                        result.completeExceptionally(failure);
                    }
                },
                "testkit-background");
        thread.setDaemon(true);
        thread.start();
        return track(result);
    }

    /** Makes the test fail if this future does not complete. */
    final <F extends CompletableFuture<?>> F track(F future) {
        calls.add(future);
        return future;
    }

    /** Reserves the next message, which must be available now. */
    static <T> Reservation<T> reserved(MessageQueue<T> queue) throws InterruptedException {
        Optional<Reservation<T>> found = queue.reserve(Duration.ZERO);
        assertThat(found).as("a message of queue '%s' to reserve", queue.name()).isPresent();
        return found.orElseThrow();
    }

    /** Pops the next message, which must be available now. */
    static <T> Message<T> popped(MessageQueue<T> queue) throws InterruptedException {
        Optional<Message<T>> found = queue.pop(Duration.ZERO);
        assertThat(found).as("a message of queue '%s' to pop", queue.name()).isPresent();
        return found.orElseThrow();
    }

    /** Pops all ready messages, one by one. */
    static <T> List<T> popAll(MessageQueue<T> queue) throws InterruptedException {
        List<T> all = new ArrayList<>();
        for (Optional<Message<T>> next = queue.pop(Duration.ZERO); next.isPresent(); next = queue.pop(Duration.ZERO)) {
            all.add(next.get().payload());
        }
        return all;
    }

    // ---- time -----------------------------------------------------------------------------------------------

    final Duration seconds(double number) {
        return storage().seconds(number);
    }

    /**
     * The shortest time that the client's clock may measure for a delay of a storage with a resolution of milliseconds.
     */
    final Duration atLeast(double seconds) {
        Duration delay = seconds(seconds);
        return storage().clock().isPresent() ? delay : delay.minusMillis(1);
    }

    final void pass(Duration duration) {
        storage().pass(duration);
    }

    final void passUntil(String what, Duration limit, BooleanSupplier holds) {
        storage().passUntil(what, limit, holds);
    }

    /**
     * Lets competing clients work until a condition holds. A settable clock goes as fast as the real time, so that no lease ends
     * before its heartbeat.
     */
    final void workUntil(String what, BooleanSupplier holds) {
        storage().workUntil(what, holds);
    }

    /** Lets time pass until a call has completed, and returns its result. */
    final <R> R passUntilDone(String what, Duration limit, CompletableFuture<R> call) {
        passUntil(what, limit, call::isDone);
        return call.join();
    }

    /**
     * Waits for a condition that needs no storage time to pass. Checks less and less often, because a check may be
     * expensive.
     */
    static void awaitReal(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval((looks, last) -> Duration.ofMillis(Math.min(20, 2 + looks / 4)))
                .atMost(Duration.ofMinutes(2))
                .until(holds::getAsBoolean);
    }
}

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
 * What tests of the user's API share: a fresh storage with clients for each test, and a look at the whole state after it:
 * nothing reserved, every call ended, no thread of the engine left.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(EngineThreads.class)
abstract class ContractCase {
    /** So long that no test passes by polling. */
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

    /** Aborts the test, visibly, where the backend does not declare these. */
    final void requires(Capability... needed) {
        for (Capability capability : needed) {
            assumeTrue(declared(capability), () -> "the backend declares no " + capability);
        }
    }

    /** Aborts the test, visibly, where the backend cannot tell a repeated call. */
    final void requiresRepeatable() {
        try (Backend backend = storage().openBackend()) {
            assumeTrue(
                    backend.traits().repeatable(), "the backend cannot tell a repeated call (traits().repeatable())");
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

    /** One more client, as another process would be one. */
    final QueueFactory client() {
        return connect(storage().client());
    }

    /** One more client, that sees the storage through faults. */
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

    /** Connects; the client is closed after the test. */
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

    /** A queue of strings that retries at once, and never polls unless the options say so. */
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

    /** The test ends with reservations, and means to. */
    final void leavesReservations() {
        mayLeaveReserved = true;
    }

    // ---- calls ----------------------------------------------------------------------------------------------

    /** Runs something that may block, on a thread of its own; the test fails if it does not end. */
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

    /** The test fails if this future does not end. */
    final <F extends CompletableFuture<?>> F track(F future) {
        calls.add(future);
        return future;
    }

    /** The reservation of the next message, which must be there now. */
    static <T> Reservation<T> reserved(MessageQueue<T> queue) throws InterruptedException {
        Optional<Reservation<T>> found = queue.reserve(Duration.ZERO);
        assertThat(found).as("a message of queue '%s' to reserve", queue.name()).isPresent();
        return found.orElseThrow();
    }

    /** The next message, which must be there now. */
    static <T> Message<T> popped(MessageQueue<T> queue) throws InterruptedException {
        Optional<Message<T>> found = queue.pop(Duration.ZERO);
        assertThat(found).as("a message of queue '%s' to pop", queue.name()).isPresent();
        return found.orElseThrow();
    }

    /** Pops all that is ready, one by one. */
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

    /** The least that the client's clock may show for a delay of a storage which counts in milliseconds. */
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

    /** Lets time pass until a call has ended, and returns its result. */
    final <R> R passUntilDone(String what, Duration limit, CompletableFuture<R> call) {
        passUntil(what, limit, call::isDone);
        return call.join();
    }

    /** Awaits something that needs no time of the storage to pass. Looks less often as it takes longer: looks may be dear. */
    static void awaitReal(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval((looks, last) -> Duration.ofMillis(Math.min(20, 2 + looks / 4)))
                .atMost(Duration.ofSeconds(30))
                .until(holds::getAsBoolean);
    }
}

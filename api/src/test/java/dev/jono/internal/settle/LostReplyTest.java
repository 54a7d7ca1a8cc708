package dev.jono.internal.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueOptions;
import dev.jono.StorageException;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import dev.jono.internal.runtime.Failures;
import dev.jono.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that the storage did and did not answer, and whose repetitions it refuses. */
@Timeout(60)
class LostReplyTest {
    private static final QueueOptions SOON =
            QueueOptions.builder().operationTimeout(Duration.ofMillis(300)).build();

    private final Hooked hooked = new Hooked();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        hooked.close();
    }

    /** Does the first call, loses its reply, and refuses what comes then. */
    private void loseThenRefuse(String method) {
        hooked.on(method, (request, real) -> {
            if (calls.getAndIncrement() > 0) {
                return CompletableFuture.failedFuture(new StorageException("refused", "orders", null, null));
            }
            return ((CompletionStage<?>) real.call()).handle((done, failure) -> {
                throw new OutcomeUnknownException("lost", "orders", null, null);
            });
        });
    }

    private MessageQueue<String> orders() {
        return hooked.connect(hooked.builder().queueDefaults(SOON)).queue("orders", String.class);
    }

    @Test
    void pushEndsAsUnknownAndIsStoredOnce() {
        MessageQueue<String> orders = orders();
        loseThenRefuse("insert");
        List<CompletableFuture<?>> pushes = IntStream.range(0, 3)
                .<CompletableFuture<?>>mapToObj(i -> orders.pushAsync("m" + i))
                .toList();
        assertThatThrownBy(pushes.get(0)::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("may or may not be done");
        hooked.off("insert");
        pushes.forEach(push -> push.handle((done, failure) -> failure).join());
        assertThat(calls.get()).as("the call and its repetitions").isGreaterThan(2);
        long unknown = pushes.stream().filter(LostReplyTest::isUnknown).count();
        long stored =
                pushes.stream().filter(push -> !push.isCompletedExceptionally()).count();
        assertThat(orders.totalSize()).isBetween(stored, stored + unknown);
    }

    @Test
    void listIsNotSentAnewOneByOne() {
        MessageQueue<String> orders = orders();
        loseThenRefuse("insert");
        assertThatThrownBy(() -> orders.pushAll(List.of("a", "b", "c")))
                .hasStackTraceContaining(OutcomeUnknownException.class.getName());
        hooked.off("insert");
        assertThat(orders.totalSize()).isEqualTo(3);
    }

    @Test
    void popEndsAsUnknown() {
        MessageQueue<String> orders = orders();
        orders.push("a");
        loseThenRefuse("take");
        assertThatThrownBy(() -> orders.pop(Duration.ofSeconds(5))).isInstanceOf(OutcomeUnknownException.class);
    }

    /** Nothing else is taken until the storage has said what it took, also when the first time limit is over. */
    @Test
    void takeWhoseRepliesAreLostGoesOnAlone() {
        Fakes.Clock clock = new Fakes.Clock();
        MessageQueue<String> orders = hooked.connect(
                        hooked.builder().clock(clock).queueDefaults(SOON))
                .queue("orders", String.class);
        orders.push("a");
        AtomicBoolean lost = new AtomicBoolean(true);
        Set<String> tokens = ConcurrentHashMap.newKeySet();
        hooked.on("take", (request, real) -> {
            calls.incrementAndGet();
            tokens.add(((ClaimRequest) request).token());
            CompletionStage<?> done = (CompletionStage<?>) real.call();
            CompletableFuture<Object> reply = new CompletableFuture<>();
            clock.schedule(1_000_000, () -> reply.complete("now"));
            return reply.thenCompose(now -> done).thenApply(taken -> {
                if (lost.get()) {
                    throw new OutcomeUnknownException("lost", "orders", null, null);
                }
                return taken;
            });
        });
        CompletableFuture<?> first = orders.popAsync(Duration.ofHours(1));
        pass(clock, 20);
        assertThat(first).failsWithin(10, TimeUnit.SECONDS);
        CompletableFuture<Optional<Message<String>>> next = orders.popAsync(Duration.ofHours(1));
        assertThat(calls).as("the take and its repetitions").hasValueGreaterThan(4);
        assertThat(tokens).hasSize(1);
        lost.set(false);
        pass(clock, 20);
        assertThat(next).succeedsWithin(10, TimeUnit.SECONDS).matches(Optional::isPresent);
        assertThat(tokens).hasSize(1);
    }

    private static void pass(Fakes.Clock clock, int steps) {
        for (int i = 0; i < steps; i++) {
            clock.pass(Duration.ofMillis(20));
        }
    }

    private static boolean isUnknown(CompletableFuture<?> push) {
        Throwable failure = push.handle((done, thrown) -> thrown).join();
        return failure != null && Failures.outcomeUnknown(failure);
    }
}

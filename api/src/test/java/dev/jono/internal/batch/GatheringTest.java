package dev.jono.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Capability;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactoryBuilder;
import dev.jono.Reservation;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.SettleRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits when a batch is answered leaves with what the callers of that batch begin, if both together are few. */
@Timeout(60)
final class GatheringTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final Hooked hooked = new Hooked();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final Queue<CompletableFuture<Object>> held = new ConcurrentLinkedQueue<>();
    private final ExecutorService oneThread = Executors.newSingleThreadExecutor();

    @BeforeEach
    void holdReplies() {
        hold("insert", request -> ((InsertRequest) request).messages().size());
    }

    /** Replies to takes wait, too. */
    private void holdTakes() {
        hold("take", request -> ((ClaimRequest) request).max());
    }

    private void holdAcks() {
        hold("ack", request -> ((SettleRequest) request).receipts().size());
    }

    private void hold(String method, ToIntFunction<Object> size) {
        hooked.on(method, (request, real) -> {
            batches.add(size.applyAsInt(request));
            CompletableFuture<Object> reply = new CompletableFuture<>();
            CompletableFuture<?> done = (CompletableFuture<?>) real.call();
            held.add(reply);
            return reply.thenCompose(go -> done);
        });
    }

    @AfterEach
    void end() {
        oneThread.shutdownNow();
        hooked.close();
    }

    private void answer() {
        held.remove().complete("now");
    }

    /** A machine that is held up for 2 ms, as by loading a class, sends what waits: so it may take several tries. */
    private void becomeOne(Supplier<List<CompletableFuture<?>>> calls) {
        becomes(calls, List.of(1, 2)::equals);
    }

    private void becomes(Supplier<List<CompletableFuture<?>>> calls, Predicate<List<Integer>> wanted) {
        List<List<Integer>> tries = new ArrayList<>();
        do {
            batches.clear();
            CompletableFuture<?> all = CompletableFuture.allOf(calls.get().toArray(CompletableFuture[]::new));
            await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
                CompletableFuture<Object> reply = held.poll();
                return reply == null ? all.isDone() : reply.complete("now") && all.isDone();
            });
            all.join();
            tries.add(List.copyOf(batches));
        } while (tries.size() < 100 && tries.stream().noneMatch(wanted));
        assertThat(tries).anyMatch(wanted);
    }

    @Test
    void twoHalvesBecomeOne() {
        MessageQueue<String> orders = hooked.connect().queue("orders", String.class);
        becomeOne(() ->
                List.of(orders.pushAsync("a").thenCompose(stored -> orders.pushAsync("c")), orders.pushAsync("b")));
    }

    /** Even if it is the only thread of the application's executor that a callback blocks. */
    @Test
    void whatWaitsIsSentThoughACallbackBlocks() {
        MessageQueue<String> orders =
                hooked.connect(hooked.builder().executor(oneThread)).queue("orders", String.class);
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<?> blocked = orders.pushAsync("a").thenRun(end::join);
        CompletableFuture<?> waiting = orders.pushAsync("b");
        answer();
        await().until(() -> batches.size() == 2);
        assertThat(blocked).isNotDone();
        answer();
        end.complete(null);
        assertThat(CompletableFuture.allOf(blocked, waiting)).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void whatWaitsIsSentThoughTheApplicationHasNoThread() {
        MessageQueue<String> orders =
                hooked.connect(hooked.builder().executor(never -> {})).queue("orders", String.class);
        orders.pushAsync("a");
        orders.pushAsync("b");
        answer();
        await().until(() -> batches.size() == 2);
        answer();
    }

    /** Nobody begins another one, and the application's threads are all taken. */
    @Test
    void acksThatGatherNeedNoThreadOfTheApplication() throws Exception {
        MessageQueue<String> orders = severalAcks(hooked.builder().executor(never -> {}));
        List<Reservation<String>> got = reserved(orders, 2);
        Thread first = blocked(() -> got.get(0).ack());
        Thread second = blocked(() -> got.get(1).ack());
        answer();
        first.join();
        await().until(() -> batches.size() == 2);
        answer();
        second.join();
        assertThat(batches).containsExactly(1, 1);
    }

    private MessageQueue<String> severalAcks(QueueFactoryBuilder builder) {
        hooked.on(
                "traits",
                (request, real) -> BackendTraits.builder()
                        .capabilities(Set.of(Capability.RESERVE))
                        .maxConcurrentAcks(2)
                        .build());
        hooked.off("insert");
        holdAcks();
        return hooked.connect(builder).queue("orders", String.class);
    }

    private List<Reservation<String>> reserved(MessageQueue<String> orders, int count) throws Exception {
        orders.pushAll(Collections.nCopies(count, "m"));
        batches.clear();
        return orders.reserve(count, WAIT);
    }

    private static Thread blocked(Runnable acks) {
        Thread thread = new Thread(acks, "caller");
        thread.setDaemon(true);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        return thread;
    }

    @Test
    void twoHalvesOfTakersBecomeOne() {
        MessageQueue<String> orders = hooked.connect().queue("orders", String.class);
        CompletableFuture<?> stored = orders.pushAllAsync(Collections.nCopies(300, "m"), PushOptions.none());
        answer();
        assertThat(stored).succeedsWithin(30, TimeUnit.SECONDS);
        holdTakes();
        becomeOne(
                () -> List.of(orders.popAsync(WAIT).thenCompose(got -> orders.popAsync(WAIT)), orders.popAsync(WAIT)));
    }

    @Test
    void takersWhoWaitAreClaimedForThoughACallbackBlocks() {
        MessageQueue<String> orders =
                hooked.connect(hooked.builder().executor(oneThread)).queue("orders", String.class);
        CompletableFuture<?> stored = orders.pushAllAsync(List.of("a", "b"), PushOptions.none());
        answer();
        assertThat(stored).succeedsWithin(30, TimeUnit.SECONDS);
        batches.clear();
        holdTakes();
        CompletableFuture<Void> end = new CompletableFuture<>();
        CompletableFuture<?> blocked = orders.popAsync(WAIT).thenRun(end::join);
        CompletableFuture<?> waiting = orders.popAsync(WAIT);
        answer();
        await().until(() -> batches.size() == 2);
        assertThat(blocked).isNotDone();
        answer();
        end.complete(null);
        assertThat(CompletableFuture.allOf(blocked, waiting)).succeedsWithin(30, TimeUnit.SECONDS);
    }
}

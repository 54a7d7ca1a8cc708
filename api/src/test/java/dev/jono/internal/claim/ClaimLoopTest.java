package dev.jono.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.BackendTraits;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A claim leaves when the last one was answered, before what that one brought is handed out; the order stays. */
@Timeout(60)
final class ClaimLoopTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final Hooked hooked = new Hooked();
    /** What claims asked for, and "read" where what one brought was read. */
    private final List<String> events = new CopyOnWriteArrayList<>();

    private final Queue<CompletableFuture<Object>> replies = new ConcurrentLinkedQueue<>();
    private volatile boolean readable = true;
    /** None waits for who was served. */
    private volatile int preferredBatch = 1;

    private QueueFactory jono;
    private MessageQueue<String> orders;

    @BeforeEach
    void holdReplies() {
        hooked.on("traits", (none, real) -> {
            BackendTraits traits = (BackendTraits) real.call();
            return BackendTraits.builder()
                    .capabilities(traits.capabilities())
                    .preferredBatch(preferredBatch)
                    .build();
        });
        for (String step : List.of("take", "claim")) {
            hooked.on(step, (request, real) -> {
                events.add(step + " " + ((ClaimRequest) request).max());
                CompletableFuture<Object> reply = new CompletableFuture<>();
                ClaimResult found = (ClaimResult) ((CompletableFuture<?>) real.call()).join();
                replies.add(reply);
                return reply.thenApply(go -> ClaimResult.builder()
                        .messages(found.size(), () -> {
                            events.add("read");
                            if (!readable) {
                                throw new IllegalStateException("it cannot be read");
                            }
                            return found.messages();
                        })
                        .nextMillis(found.nextMillis())
                        .storageMillis(found.storageMillis())
                        .build());
            });
        }
        jono = hooked.connect();
        orders = jono.queue("orders", String.class);
        orders.pushAll(List.of("1", "2", "3", "4", "5"));
    }

    @AfterEach
    void end() {
        replies.forEach(reply -> reply.complete("now"));
        hooked.close();
    }

    private void answer() {
        replies.remove().complete("now");
    }

    private CompletableFuture<Optional<Message<String>>> pop() {
        return orders.popAsync(WAIT);
    }

    private static void got(CompletableFuture<Optional<Message<String>>> pop, String payload) {
        assertThat(pop.thenApply(found -> found.map(Message::payload)))
                .succeedsWithin(30, TimeUnit.SECONDS)
                .isEqualTo(Optional.of(payload));
    }

    /** Two waits claimed for together, and two that came when their claim had left. */
    private List<CompletableFuture<Optional<Message<String>>>> twoAndTwo() {
        CompletableFuture<Optional<Message<String>>> alone = pop();
        List<CompletableFuture<Optional<Message<String>>>> pops = new ArrayList<>();
        pops.add(pop());
        pops.add(pop());
        answer();
        got(alone, "1");
        pops.add(pop());
        pops.add(pop());
        assertThat(events).containsExactly("take 1", "take 2", "read");
        events.clear();
        return pops;
    }

    @Test
    void theNextClaimLeavesBeforeWhatTheLastOneBroughtIsRead() {
        List<CompletableFuture<Optional<Message<String>>>> pops = twoAndTwo();
        answer();
        assertThat(events).containsExactly("take 2", "read");
        answer();
        for (int i = 0; i < 4; i++) {
            got(pops.get(i), String.valueOf(i + 2));
        }
    }

    @Test
    void whatNobodyTookComesBeforeWhatTheNextClaimBrings() {
        List<CompletableFuture<Optional<Message<String>>>> pops = twoAndTwo();
        pops.get(0).cancel(true);
        answer();
        got(pops.get(1), "2");
        assertThat(pops.get(2)).isNotDone();
        answer();
        got(pops.get(2), "3");
        got(pops.get(3), "4");
        CompletableFuture<Optional<Message<String>>> last = pop();
        answer();
        got(last, "5");
    }

    @Test
    void whatNobodyTookIsForWhomeverTheNextClaimWasMade() {
        List<CompletableFuture<Optional<Message<String>>>> pops = twoAndTwo();
        pops.forEach(pop -> pop.cancel(true));
        CompletableFuture<Optional<Message<String>>> first = pop();
        CompletableFuture<Optional<Message<String>>> second = pop();
        answer();
        assertThat(events).containsExactly("take 2", "read");
        answer();
        got(first, "2");
        got(second, "3");
        CompletableFuture<Optional<Message<String>>> next = pop();
        answer();
        got(next, "4");
    }

    @Test
    void whatNobodyTookGoesBackWhereTheNextClaimFails() {
        List<CompletableFuture<Optional<Message<String>>>> pops = twoAndTwo();
        hooked.on("take", (request, real) -> {
            CompletableFuture<Object> reply = new CompletableFuture<>();
            replies.add(reply);
            return reply.thenApply(go -> {
                throw new StorageException("it is full", "orders", null, null);
            });
        });
        pops.get(0).cancel(true);
        answer();
        got(pops.get(1), "2");
        answer();
        assertThat(pops.get(2)).failsWithin(30, TimeUnit.SECONDS);
        assertThat(pops.get(3)).failsWithin(30, TimeUnit.SECONDS);
        hooked.off("take");
        got(pop(), "3");
        got(pop(), "4");
    }

    /** What is left of the pops could not be handed out to who reserves. */
    @Test
    void claimOnOtherTermsWaitsUntilTheLastOneIsHandedOut() {
        CompletableFuture<Optional<Message<String>>> popped = pop();
        CompletableFuture<?> reserved = orders.reserveAsync(WAIT);
        popped.cancel(true);
        events.clear();
        answer();
        assertThat(events).containsExactly("read", "claim 1");
        answer();
        assertThat(reserved).succeedsWithin(30, TimeUnit.SECONDS);
        CompletableFuture<Optional<Message<String>>> next = pop();
        answer();
        got(next, "2");
    }

    /** Who is not asked keeps no room free for what does not come. */
    @Test
    void workerOnOtherTermsGetsItsClaim() {
        CompletableFuture<Optional<Message<String>>> popped = pop();
        Queue<String> handled = new ConcurrentLinkedQueue<>();
        jono.worker()
                .concurrency(2)
                .from(orders, (order, delivery) -> handled.add(order))
                .start();
        answer();
        got(popped, "1");
        await().untilAsserted(() -> {
            CompletableFuture<Object> reply = replies.poll();
            if (reply != null) {
                reply.complete("now");
            }
            assertThat(handled).containsExactlyInAnyOrder("2", "3", "4", "5");
        });
    }

    @Test
    void whatCannotBeReadIsTold() {
        List<CompletableFuture<Optional<Message<String>>>> pops = twoAndTwo();
        pops.get(0).cancel(true);
        answer();
        got(pops.get(1), "2");
        readable = false;
        answer();
        assertThat(pops.get(2)).failsWithin(30, TimeUnit.SECONDS);
        assertThat(pops.get(3)).failsWithin(30, TimeUnit.SECONDS);
        readable = true;
        CompletableFuture<Optional<Message<String>>> held = pop();
        answer();
        got(held, "3");
    }

    @Test
    void whoIsToGoAlongWithThoseServedIsNotForgottenWhereNoneIs() {
        preferredBatch = 32;
        orders = hooked.connect().queue("orders", String.class);
        CompletableFuture<Optional<Message<String>>> first = pop();
        CompletableFuture<Optional<Message<String>>> second = pop();
        readable = false;
        answer();
        assertThat(first).failsWithin(30, TimeUnit.SECONDS);
        readable = true;
        await().until(() -> !replies.isEmpty());
        answer();
        got(second, "2");
    }

    /** The thread that reads lets what was sent leave first. */
    @Test
    void messagesAreHandedOutBehindWhatIsRead() {
        Queue<Runnable> behind = new ArrayDeque<>();
        List<CompletableFuture<Optional<Message<String>>>> pops = twoAndTwo();
        hooked.on("afterReads", (step, real) -> behind.add((Runnable) step));
        answer();
        assertThat(events).containsExactly("take 2");
        assertThat(pops.get(0)).isNotDone();
        answer();
        while (!behind.isEmpty()) {
            behind.remove().run();
        }
        for (int i = 0; i < 4; i++) {
            got(pops.get(i), String.valueOf(i + 2));
        }
    }
}

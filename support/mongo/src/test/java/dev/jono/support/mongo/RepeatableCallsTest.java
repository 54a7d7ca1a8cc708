package dev.jono.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.spi.SettleResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The memory of calls, without a server. */
class RepeatableCallsTest {
    private final RepeatableCalls<Integer> calls = new RepeatableCalls<>(2);

    private void failed(String token, int[] asked, Optional<Integer> answer) {
        assertThatThrownBy(() -> calls.run(token, running -> {
                    running.onRepeat(() -> {
                        asked[0]++;
                        return answer;
                    });
                    throw new IllegalStateException("cut");
                }))
                .hasMessage("cut");
    }

    @Test
    void callThatHadNoEffectIsAskedForOnce() {
        int[] asked = {0};
        failed("t", asked, Optional.empty());
        assertThatThrownBy(() -> calls.run("t", running -> {
                    throw new IllegalStateException("again");
                }))
                .hasMessage("again");
        assertThat(calls.run("t", running -> 7)).isEqualTo(7);
        assertThat(asked[0]).isEqualTo(1);
    }

    @Test
    void unansweredCallIsKeptLongerThanAnsweredOnes() {
        int[] asked = {0};
        failed("lost", asked, Optional.of(1));
        for (int i = 0; i < 10; i++) {
            int answer = i;
            calls.run("other" + i, running -> answer);
        }
        assertThat(calls.unanswered()).isTrue();
        assertThat(calls.run("lost", running -> 2)).isEqualTo(1);
        assertThat(calls.unanswered()).isFalse();
    }

    @Test
    void secondAttemptWaitsForTheFirst() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> calls.run("t", running -> {
            started.countDown();
            awaitUninterruptibly(proceed);
            return runs.incrementAndGet();
        }));
        assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Integer> second =
                CompletableFuture.supplyAsync(() -> calls.run("t", running -> runs.incrementAndGet()));
        proceed.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(1);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Memory extends CallMemory {}

    @Test
    void queueWithAnUnansweredCallIsKeptAmongThousands() {
        AtomicLong seconds = new AtomicLong();
        QueueMemories<Memory> queues = new QueueMemories<>(() -> TimeUnit.SECONDS.toNanos(seconds.get()), Memory::new);
        SettleResult lost = SettleResult.builder().build();
        assertThatThrownBy(() -> queues.of("c", "lost").settles.run("t", running -> {
                    running.onRepeat(() -> Optional.of(lost));
                    throw new IllegalStateException("cut");
                }))
                .hasMessage("cut");
        Memory idle = queues.of("c", "idle");
        for (int i = 0; i < 3_000; i++) {
            queues.of("c", "q" + i);
        }
        assertThat(queues.of("c", "idle")).isNotSameAs(idle);
        assertThat(queues.of("c", "lost")
                        .settles
                        .run("t", running -> SettleResult.builder().build()))
                .isSameAs(lost);
    }

    @Test
    void resultsAreForgottenAfterAWhile() {
        AtomicLong seconds = new AtomicLong();
        QueueMemories<Memory> queues = new QueueMemories<>(() -> TimeUnit.SECONDS.toNanos(seconds.get()), Memory::new);
        SettleResult first = queues.of("c", "q")
                .settles
                .run("t", running -> SettleResult.builder().build());
        seconds.set(40);
        assertThat(queues.of("c", "q")
                        .settles
                        .run("t", running -> SettleResult.builder().build()))
                .isSameAs(first);
        queues.of("c", "other");
        for (int now : new int[] {80, 120}) {
            seconds.set(now);
            queues.of("c", "other");
        }
        assertThat(queues.of("c", "q")
                        .settles
                        .run("t", running -> SettleResult.builder().build()))
                .isNotSameAs(first);
    }
}

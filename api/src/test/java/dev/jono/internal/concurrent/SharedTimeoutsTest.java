package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.internal.fakes.CountingClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits end when they are to, whichever timer does it. */
@Timeout(60)
final class SharedTimeoutsTest {
    private final CountingClock clock = new CountingClock();
    private final QueueFactory jono =
            QueueFactory.builder("memory:" + UUID.randomUUID()).clock(clock).connect();
    private final MessageQueue<String> orders = jono.queue("orders", Codec.string());

    @AfterEach
    void close() {
        jono.close();
    }

    private List<CompletableFuture<?>> waits(int count, Duration length) {
        List<CompletableFuture<?>> waits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waits.add(orders.popAsync(length));
        }
        return waits;
    }

    private void advance(Duration time) {
        clock.settable.pass(time);
    }

    private static void ended(List<CompletableFuture<?>> waits) {
        assertThat(CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new)))
                .succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void eachLengthHasItsEnd() {
        List<CompletableFuture<?>> longer = waits(3, Duration.ofSeconds(9));
        List<CompletableFuture<?>> first = waits(3, Duration.ofSeconds(2));
        advance(Duration.ofSeconds(1));
        List<CompletableFuture<?>> second = waits(3, Duration.ofSeconds(2));
        advance(Duration.ofSeconds(1));
        ended(first);
        assertThat(second).noneMatch(CompletableFuture::isDone);
        advance(Duration.ofSeconds(1));
        ended(second);
        assertThat(longer).noneMatch(CompletableFuture::isDone);
        advance(Duration.ofSeconds(6));
        ended(longer);
    }

    /** Also one that begins when the timer of those before it still runs. */
    @Test
    void waitBehindOthersThatHaveEndedHasItsOwnTime() {
        List<CompletableFuture<?>> cancelled = waits(2, Duration.ofSeconds(2));
        advance(Duration.ofSeconds(1));
        cancelled.forEach(wait -> wait.cancel(false));
        List<CompletableFuture<?>> waits = waits(1, Duration.ofSeconds(2));
        advance(Duration.ofMillis(1_500));
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        advance(Duration.ofMillis(500));
        ended(waits);
    }

    @Test
    void moreLengthsThanAreRememberedEndToo() {
        for (int round = 0; round < 3; round++) {
            List<CompletableFuture<?>> waits = new ArrayList<>();
            for (int i = 1; i <= 50; i++) {
                waits.addAll(waits(1, Duration.ofMillis(100 * i + round)));
            }
            for (int i = 10; i < 50; i += 3) {
                waits.get(i).cancel(false);
            }
            advance(Duration.ofMillis(2_500));
            ended(waits.subList(0, 10));
            assertThat(waits.get(48)).isNotDone();
            advance(Duration.ofMillis(2_600));
            waits.removeIf(CompletableFuture::isCancelled);
            ended(waits);
        }
    }

    @Test
    void waitsOfOneLengthShareATimer() throws Exception {
        List<CompletableFuture<?>> waits = waits(1, Duration.ofSeconds(10));
        int before = clock.timers.get();
        waits.addAll(waits(1_000, Duration.ofSeconds(10)));
        assertThat(clock.timers.get() - before).isLessThan(10);
        orders.pushAll(waits.stream().map(wait -> "m").toList());
        ended(waits);
        assertThat(orders.totalSize()).isZero();
    }

    /** Though each of them begins a moment later. */
    @Test
    void waitsThatBlockShareATimerToo() throws Exception {
        clock.runs = true;
        orders.pushAll(Collections.nCopies(1_000, "m"));
        int before = clock.timers.get();
        for (int i = 0; i < 1_000; i++) {
            assertThat(orders.pop(Duration.ofSeconds(10))).isPresent();
        }
        assertThat(clock.timers.get() - before).isLessThan(10);
    }

    @Test
    void clockThatFailsOnceCostsNoWait() {
        clock.broken = true;
        List<CompletableFuture<?>> waits = waits(1, Duration.ofSeconds(7));
        int before = clock.timers.get();
        clock.broken = false;
        waits.addAll(waits(1, Duration.ofSeconds(7)));
        await("the timer to be set").until(() -> clock.timers.get() > before);
        orders.push("m");
        assertThat(waits.get(0)).succeedsWithin(30, TimeUnit.SECONDS);
        advance(Duration.ofSeconds(7));
        ended(waits);
        assertThat(orders.totalSize()).isZero();
    }
}

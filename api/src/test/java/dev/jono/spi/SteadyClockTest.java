package dev.jono.spi;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoClock;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private final HandClock hand = new HandClock();
    private final SteadyClock steady = new SteadyClock(hand);

    @Test
    void showsTheWallTimeWhileBothReadingsMoveTogether() {
        for (int step = 0; step < 1000; step++) {
            assertThat(steady.millis()).isEqualTo(hand.wallMillis());
            hand.advance(ofMillis(step % 7));
        }
        hand.advance(ofDays(400));
        assertThat(steady.millis()).isEqualTo(hand.wallMillis());
    }

    @Test
    void goesOnAtTheMonotonicPaceWhenTheHostsClockIsSetBack() {
        long before = steady.millis();
        hand.setWall(ofHours(-1));
        assertThat(steady.millis()).isEqualTo(before);
        hand.advance(ofSeconds(5));
        assertThat(steady.millis()).isEqualTo(before + 5000);
        hand.setWall(ofMinutes(30));
        assertThat(steady.millis()).as("still behind").isEqualTo(before + 5000);
    }

    @Test
    void followsWhenTheHostsClockIsSetForward() {
        hand.setWall(ofHours(1));
        assertThat(steady.millis()).isEqualTo(hand.wallMillis());
        hand.advance(ofMillis(3));
        assertThat(steady.millis()).isEqualTo(hand.wallMillis());
    }

    @Test
    void doesNotRoundAPartOfAMillisecondUp() {
        long before = steady.millis();
        hand.advance(ofNanos(999_999));
        assertThat(steady.millis()).isEqualTo(before);
        hand.advance(ofNanos(1));
        assertThat(steady.millis()).isEqualTo(before + 1);
    }

    @Test
    void neverGoesBackForThreadsThatHandReadingsToOneAnother() throws Exception {
        SteadyClock real = new SteadyClock(JonoClock.system());
        AtomicLong last = new AtomicLong();
        Set<Long> backward = Collections.newSetFromMap(new ConcurrentHashMap<>());
        Callable<Boolean> reader = () -> {
            for (int i = 0; i < 100_000; i++) {
                long seen = last.get();
                long now = real.millis();
                if (now < seen) {
                    backward.add(seen - now);
                }
                last.accumulateAndGet(now, Math::max);
            }
            return true;
        };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Future<Boolean> done : threads.invokeAll(List.of(reader, reader, reader, reader))) {
                assertThat(done.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(backward).isEmpty();
    }
}

package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServerTimeTest {
    private final HandClock clock = new HandClock();
    private final ServerTime time = new ServerTime(clock);

    /** A reply that took so long, in whose middle the server showed this. */
    private void reply(long serverMillis, Duration took) {
        long sent = time.nanos();
        clock.advance(took);
        time.observe(serverMillis, sent);
    }

    @Test
    void slowReplyLeavesRoomOnBothSides() {
        reply(1_000_000, Duration.ofMillis(40));
        assertThat(time.nowMillis()).as("not later than it is").isEqualTo(1_000_000);
        assertThat(time.latestMillis()).as("not earlier than it is").isEqualTo(1_000_041);
        clock.advance(Duration.ofMillis(500));
        // The clocks may have parted a little meanwhile.
        assertThat(time.nowMillis()).isEqualTo(1_000_499);
        assertThat(time.latestMillis()).isEqualTo(1_000_542);
    }

    @Test
    void quickReplyNarrowsAndASlowOneDoesNotWiden() {
        reply(1_000_000, Duration.ofMillis(40));
        reply(1_000_039, Duration.ofMillis(1));
        assertThat(time.latestMillis() - time.nowMillis()).isLessThanOrEqualTo(2);
        reply(1_000_041, Duration.ofMillis(300));
        assertThat(time.latestMillis() - time.nowMillis()).isLessThanOrEqualTo(4);
    }

    /** A client's clock that is 50 millionths slow, behind replies that take 100 ms, for an hour. */
    @Test
    void driftingClocksLeaveThePresentBetweenTheBounds() {
        for (long second = 5; second <= 3600; second += 5) {
            long server = 1_000_000 + second * 1000 + second / 20;
            clock.advance(Duration.ofMillis(4_900));
            reply(server, Duration.ofMillis(100));
            assertThat(time.latestMillis()).as("after %d s", second).isGreaterThanOrEqualTo(server + 100);
            assertThat(time.nowMillis()).as("after %d s", second).isLessThanOrEqualTo(server + 100);
        }
    }

    @Test
    void neverGoesBackWhileRepliesAgree() {
        reply(1_000_000, Duration.ZERO);
        clock.advance(Duration.ofMillis(10));
        long before = time.nowMillis();
        reply(1_000_010, Duration.ofMillis(20));
        assertThat(time.nowMillis()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void followsAServerWhoseClockIsAnother() {
        reply(1_000_000, Duration.ofMillis(1));
        assertThat(time.nowMillis()).isEqualTo(1_000_000);
        reply(400_000, Duration.ofMillis(1));
        assertThat(time.nowMillis()).isEqualTo(400_000);
        assertThat(time.latestMillis()).isBetween(400_001L, 400_002L);
    }

    @Test
    void clientsWallChangesNothing() {
        reply(1_000_000, Duration.ZERO);
        clock.setWall(Duration.ofHours(1));
        assertThat(time.nowMillis()).isEqualTo(1_000_000);
    }

    @Test
    void replyGrowsOld() {
        assertThat(time.stale()).isTrue();
        reply(1_000_000, Duration.ZERO);
        assertThat(time.stale()).isFalse();
        clock.advance(Duration.ofSeconds(6));
        assertThat(time.stale()).isTrue();
    }
}

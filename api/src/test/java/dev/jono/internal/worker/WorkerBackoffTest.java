package dev.jono.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WorkerBackoffTest {
    private final WorkerBackoff backoff = new WorkerBackoff();

    @Test
    void timerOfAnEarlierWaitDoesNotEndALaterOne() {
        WorkerBackoff.Wait earlier = backoff.afterFailedClaim();
        backoff.claimAnswered();
        WorkerBackoff.Wait later = backoff.afterFailedClaim();
        backoff.end(earlier);
        assertThat(backoff.isWaiting()).isTrue();
        backoff.end(later);
        assertThat(backoff.isWaiting()).isFalse();
    }

    @Test
    void answeredClaimEndsAWaitAfterAFailedClaimOnly() {
        WorkerBackoff.Wait forExecutor = backoff.afterRefusal();
        backoff.claimAnswered();
        assertThat(backoff.isWaiting()).isTrue();
        backoff.end(forExecutor);
        backoff.afterFailedClaim();
        backoff.claimAnswered();
        assertThat(backoff.isWaiting()).isFalse();
    }

    @Test
    void waitsGrowForEachCauseSeparately() {
        List<Long> afterClaims = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            afterClaims.add(millis(backoff.afterFailedClaim()));
        }
        assertThat(afterClaims).containsExactly(200L, 400L, 800L, 1600L, 3200L, 6400L, 10_000L, 10_000L);
        assertThat(millis(backoff.afterRefusal())).isEqualTo(200);
        assertThat(millis(backoff.afterRefusal())).isEqualTo(400);
        backoff.claimAnswered();
        assertThat(millis(backoff.afterFailedClaim())).isEqualTo(200);
        backoff.executorRuns();
        assertThat(millis(backoff.afterRefusal())).isEqualTo(200);
    }

    private static long millis(WorkerBackoff.Wait wait) {
        return Duration.ofNanos(wait.nanos).toMillis();
    }
}

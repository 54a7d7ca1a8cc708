package dev.jono.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.backend.postgres.LowWaterMark.Look;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Where looks into an index begin. */
class LowWaterMarkTest {
    private static final long NOW = 1_000_000;

    private final AtomicLong nanos = new AtomicLong();
    private final LowWaterMark mark = new LowWaterMark(nanos::get);

    private void pass(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** One look that takes some time; returns where it began. */
    private long look(long firstMillis, boolean enough, long tookMillis) {
        Look look = mark.begin();
        mark.end(look, firstMillis, NOW, enough, tookMillis);
        return look.fromMillis();
    }

    private void lookSlowly() {
        look(NOW, false, 40);
        look(NOW, false, 30);
    }

    @Test
    void looksAreCompleteWhileTheyFindTooFew() {
        assertThat(look(NOW, false, 1)).isZero();
        assertThat(look(NOW - 50, false, 1)).isZero();
        assertThat(mark.millisUntilComplete()).isZero();
    }

    @Test
    void looksBeginAtTheFirstMessageWhileTheyFindEnough() {
        assertThat(look(NOW - 5_000, true, 1)).isZero();
        assertThat(look(NOW - 4_000, true, 1)).isEqualTo(NOW - 5_000);
        assertThat(look(NOW - 3_000, true, 1)).isEqualTo(NOW - 4_000);
        pass(250);
        assertThat(look(NOW - 9_000, true, 1)).isZero();
        assertThat(look(NOW - 9_000, true, 1)).isEqualTo(NOW - 9_000);
    }

    @Test
    void lookAfterOneThatFoundTooFewIsComplete() {
        look(NOW - 5_000, true, 1);
        assertThat(look(NOW - 4_000, false, 1)).isEqualTo(NOW - 5_000);
        assertThat(look(NOW - 4_000, false, 1)).isZero();
    }

    @Test
    void pushesThatAreNotCommittedYetStayInFrontOfTheMark() {
        look(NOW, true, 1);
        assertThat(look(NOW, true, 1)).isEqualTo(NOW - 100);
    }

    @Test
    void slowCompleteLooksAreRare() {
        lookSlowly();
        assertThat(mark.millisUntilComplete()).isEqualTo(600);
        assertThat(mark.fromMillis()).isEqualTo(NOW - 100);
        assertThat(look(NOW, false, 1)).isEqualTo(NOW - 100);
        pass(600);
        assertThat(mark.millisUntilComplete()).isZero();
        assertThat(mark.fromMillis()).isZero();
        assertThat(look(NOW, false, 1)).isZero();
        assertThat(mark.fromMillis()).isZero();
    }

    @Test
    void pauseBetweenSlowCompleteLooksIsLimited() {
        look(NOW, false, 10_000);
        look(NOW, false, 10_000);
        assertThat(mark.millisUntilComplete()).isEqualTo(5_000);
    }

    @Test
    void oneSlowLookIsAnAccident() {
        look(NOW, false, 1_000);
        assertThat(look(NOW, false, 1)).isZero();
    }

    @Test
    void messageThatComesBackLowersTheMark() {
        lookSlowly();
        mark.lower(NOW - 7_000);
        assertThat(look(NOW - 7_000, false, 1)).isEqualTo(NOW - 7_000);
        mark.lower(NOW);
        assertThat(look(NOW, false, 1)).isEqualTo(NOW - 7_000);
    }

    @Test
    void lookDoesNotForgetWhatCameWhileItRan() {
        lookSlowly();
        Look look = mark.begin();
        mark.lower(NOW - 7_000);
        mark.end(look, NOW, NOW, false, 1);
        assertThat(mark.begin().fromMillis()).isEqualTo(NOW - 7_000);
    }
}

package dev.jono.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.memory.RecentCalls.Op;
import org.junit.jupiter.api.Test;

class RecentCallsTest {
    private static final Op<Long> WEIGHTY = new Op<>("op", Long.class, result -> result);

    private final RecentCalls calls = new RecentCalls();

    @Test
    void forgetsTheOldestFirstWhenThereIsTooMuch() {
        for (long i = 0; i < 100; i++) {
            calls.keep(WEIGHTY, 1, "t" + i, 1L << 20, 0);
        }
        assertThat(calls.find(WEIGHTY, 1, "t0")).isNull();
        assertThat(calls.find(WEIGHTY, 1, "t91")).isNull();
        assertThat(calls.find(WEIGHTY, 1, "t92")).isNotNull();
        assertThat(calls.find(WEIGHTY, 1, "t99")).isNotNull();
    }

    @Test
    void remembersTheLatestHoweverHeavy() {
        calls.keep(WEIGHTY, 1, "light", 1L, 0);
        calls.keep(WEIGHTY, 1, "heavy", 1L << 40, 0);
        assertThat(calls.find(WEIGHTY, 1, "heavy")).isEqualTo(1L << 40);
        calls.keep(WEIGHTY, 1, "next", 1L, 0);
        assertThat(calls.find(WEIGHTY, 1, "heavy")).isNull();
    }

    @Test
    void forgetsWhatIsTooOldToBeRepeated() {
        calls.keep(WEIGHTY, 1, "old", 1L, 0);
        calls.keep(WEIGHTY, 1, "young", 1L, 500_000);
        calls.keep(WEIGHTY, 1, "now", 1L, 601_000);
        assertThat(calls.find(WEIGHTY, 1, "old")).isNull();
        assertThat(calls.find(WEIGHTY, 1, "young")).isNotNull();
    }

    @Test
    void tellsCallsApartByKindQueueAndToken() {
        calls.keep(WEIGHTY, 1, "t", 1L, 0);
        assertThat(calls.find(WEIGHTY, 2, "t")).isNull();
        assertThat(calls.find(WEIGHTY, 1, "u")).isNull();
        assertThat(calls.find(new Op<>("other", Long.class, r -> r), 1, "t")).isNull();
    }
}

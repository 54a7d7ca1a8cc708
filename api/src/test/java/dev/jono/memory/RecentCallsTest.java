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
            calls.keep(WEIGHTY, "q", "t" + i, 1L << 20, 0);
        }
        assertThat(calls.find(WEIGHTY, "q", "t0")).isNull();
        assertThat(calls.find(WEIGHTY, "q", "t91")).isNull();
        assertThat(calls.find(WEIGHTY, "q", "t92")).isNotNull();
        assertThat(calls.find(WEIGHTY, "q", "t99")).isNotNull();
    }

    @Test
    void remembersTheLatestHoweverHeavy() {
        calls.keep(WEIGHTY, "q", "light", 1L, 0);
        calls.keep(WEIGHTY, "q", "heavy", 1L << 40, 0);
        assertThat(calls.find(WEIGHTY, "q", "heavy")).isEqualTo(1L << 40);
        calls.keep(WEIGHTY, "q", "next", 1L, 0);
        assertThat(calls.find(WEIGHTY, "q", "heavy")).isNull();
    }

    @Test
    void forgetsWhatIsTooOldToBeRepeated() {
        calls.keep(WEIGHTY, "q", "old", 1L, 0);
        calls.keep(WEIGHTY, "q", "young", 1L, 500_000);
        calls.keep(WEIGHTY, "q", "now", 1L, 601_000);
        assertThat(calls.find(WEIGHTY, "q", "old")).isNull();
        assertThat(calls.find(WEIGHTY, "q", "young")).isNotNull();
    }

    @Test
    void tellsCallsApartByKindQueueAndToken() {
        calls.keep(WEIGHTY, "q", "t", 1L, 0);
        assertThat(calls.find(WEIGHTY, "other", "t")).isNull();
        assertThat(calls.find(WEIGHTY, "q", "u")).isNull();
        assertThat(calls.find(new Op<>("other", Long.class, r -> r), "q", "t")).isNull();
    }
}

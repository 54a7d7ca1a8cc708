package dev.jono.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.memory.RecentCalls.Op;
import org.junit.jupiter.api.Test;

class RecentCallsTest {
    private static final Op<Long> OP = new Op<>("op", Long.class, result -> result);

    private final RecentCalls calls = new RecentCalls();

    @Test
    void evictsTheOldestFirst() {
        for (long i = 0; i < 100; i++) {
            calls.keep(OP, "q", "t" + i, 1L << 20, 0);
        }
        assertThat(calls.find(OP, "q", "t0")).isNull();
        assertThat(calls.find(OP, "q", "t91")).isNull();
        assertThat(calls.find(OP, "q", "t92")).isNotNull();
        assertThat(calls.find(OP, "q", "t99")).isNotNull();
    }

    @Test
    void keepsTheLatestCallOfAnyWeight() {
        calls.keep(OP, "q", "light", 1L, 0);
        calls.keep(OP, "q", "heavy", 1L << 40, 0);
        assertThat(calls.find(OP, "q", "heavy")).isEqualTo(1L << 40);
        calls.keep(OP, "q", "next", 1L, 0);
        assertThat(calls.find(OP, "q", "heavy")).isNull();
    }

    @Test
    void evictsOldCalls() {
        calls.keep(OP, "q", "old", 1L, 0);
        calls.keep(OP, "q", "young", 1L, 500_000);
        calls.keep(OP, "q", "now", 1L, 601_000);
        assertThat(calls.find(OP, "q", "old")).isNull();
        assertThat(calls.find(OP, "q", "young")).isNotNull();
    }

    @Test
    void separatesCallsByKindQueueAndToken() {
        calls.keep(OP, "q", "t", 1L, 0);
        assertThat(calls.find(OP, "other", "t")).isNull();
        assertThat(calls.find(OP, "q", "u")).isNull();
        assertThat(calls.find(new Op<>("other", Long.class, r -> r), "q", "t")).isNull();
    }
}

package dev.jono.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdsTest {
    private final Ids ids = new Ids();

    @Test
    void idsContainTheSequenceNumber() {
        assertThat(ids.id(1)).matches("[0-9a-f]{24}").isLessThan(ids.id(2));
        for (long seq : new long[] {0, 1, 255, 1L << 40, (1L << 48) - 1}) {
            assertThat(ids.seqOf(ids.id(seq))).isEqualTo(seq);
        }
    }

    @Test
    void foreignIdsHaveNoSequenceNumber() {
        assertThat(ids.seqOf("")).isEqualTo(-1);
        assertThat(ids.seqOf(new Ids().id(1))).isEqualTo(-1);
        assertThat(ids.seqOf(ids.id(1).substring(0, 23) + "x")).isEqualTo(-1);
        assertThat(ids.seqOf(ids.id(1) + "0")).isEqualTo(-1);
    }

    @Test
    void neverRepeatsAClaimToken() {
        assertThat(ids.claimToken()).isNotEqualTo(ids.claimToken()).doesNotContain(":");
    }
}

package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageIdsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "ünïcode", "\u0000", "a very long token that continues and continues and continues"})
    void hashIsThirteenLettersAndDigitsAndStable(String token) {
        assertThat(MessageIds.hash(token)).matches("[0-9a-z]{13}").isEqualTo(MessageIds.hash(token));
        assertThat(MessageIds.suffix(token)).matches("[0-9a-z]{8}");
        assertThat(MessageIds.hash(token)).endsWith(MessageIds.suffix(token));
    }

    @Test
    void similarTokensHaveDifferentSuffixes() {
        Set<String> suffixes = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            suffixes.add(MessageIds.suffix("c" + i));
            suffixes.add(MessageIds.suffix(new UUID(0, i).toString()));
        }
        assertThat(suffixes).as("40,000 of 2.8e12 possible suffixes").hasSize(40_000);
    }

    @ParameterizedTest
    @CsvSource({"0, -000-s", "7, -007-s", "42, -042-s", "999, -999-s"})
    void indexesSortAsNumbers(int index, String ending) {
        assertThat(MessageIds.ending(index, "s")).isEqualTo(ending);
    }

    @Test
    void storedTimeIsInTheId() {
        assertThat(MessageIds.storedMillis("1795285314941263" + MessageIds.ending(3, MessageIds.suffix("t"))))
                .isEqualTo(1_795_285_314_941L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "1795285314941263",
                "1795285314941263-000",
                "179528531494126x-000-abcdefgh",
                "1795285314941263_000-abcdefgh",
                "1795285314941263-0000abcdefgh",
                "65f0c0ffee65f0c0ffee65f0",
                "٠١٢٣٤٥٦٧٨٩٠١٢٣٤٥-000-abcdefgh"
            })
    void otherIdsHaveNoTime(String id) {
        assertThat(MessageIds.storedMillis(id)).isZero();
    }
}

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
    @ValueSource(strings = {"", "a", "ünïcode", "\u0000", "a very long token that goes on and on and on and on"})
    void hashIsThirteenLettersAndDigitsAndStable(String token) {
        assertThat(MessageIds.hash(token)).matches("[0-9a-z]{13}").isEqualTo(MessageIds.hash(token));
        assertThat(MessageIds.suffix(token)).matches("[0-9a-z]{8}");
        assertThat(MessageIds.hash(token)).endsWith(MessageIds.suffix(token));
    }

    @Test
    void namesAlikeHaveOtherSuffixes() {
        Set<String> suffixes = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            suffixes.add(MessageIds.suffix("c" + i));
            suffixes.add(MessageIds.suffix(new UUID(0, i).toString()));
        }
        assertThat(suffixes).as("2.8e12 of them, so no two of 40,000 meet").hasSize(40_000);
    }

    @ParameterizedTest
    @CsvSource({"0, -000-s", "7, -007-s", "42, -042-s", "999, -999-s"})
    void placesSortAsNumbers(int place, String ending) {
        assertThat(MessageIds.ending(place, "s")).isEqualTo(ending);
    }

    @Test
    void storedTimeIsReadBack() {
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
    void othersIdsTellNoTime(String id) {
        assertThat(MessageIds.storedMillis(id)).isZero();
    }
}

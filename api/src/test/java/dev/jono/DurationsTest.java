package dev.jono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"0s, PT0S", "500ms, PT0.5S", "10s, PT10S", "2m, PT2M", "1h, PT1H", "7d, PT168H", "' 3s ', PT3S"})
    void readsTheWrittenForm(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "s",
                "-1s",
                "1.5s",
                "1 s",
                "1H",
                "PT1H",
                "4000d",
                "99999999999999d",
                "9999999999999999s"
            })
    void refusesWhatIsNoDurationOrTooLong(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessageContaining(text);
    }

    @Test
    void checksBounds() {
        assertThat(Durations.check(Duration.ZERO, "lease")).isZero();
        assertThat(Durations.check(Durations.MAX, "lease")).isEqualTo(Durations.MAX);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.check(Duration.ofNanos(-1), "lease"))
                .withMessageContaining("lease");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.check(Durations.MAX.plusNanos(1), "lease"))
                .withMessageContaining("lease");
    }
}

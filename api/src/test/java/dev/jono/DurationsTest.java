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
    @CsvSource({
        "PT0S, 0s",
        "PT0.2S, 200ms",
        "PT1.5S, 1500ms",
        "PT10S, 10s",
        "PT90S, 90s",
        "PT2M, 2m",
        "PT24H, 1d",
        "PT0.0005S, 0.5ms",
        "PT0.9145S, 914ms",
        "PT-5S, -5s",
        "PT-0.5S, -500ms"
    })
    void writesTheFormThatItReads(Duration duration, String text) {
        assertThat(Durations.format(duration)).isEqualTo(text);
    }

    @Test
    void writesWhatIsTooLongToBeMeant() {
        assertThat(Durations.format(Duration.ofSeconds(Long.MIN_VALUE))).endsWith("s");
        assertThat(Durations.format(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)))
                .endsWith("s");
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

package dev.jono.signal.redispubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.Signal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignalMessageTest {
    private static String sent(Signal signal) {
        return new String(SignalMessage.encode(signal), StandardCharsets.UTF_8);
    }

    private static @Nullable Signal received(String text) {
        return SignalMessage.decode("orders", text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "1795253974719, 1795253974719",
        "1, 1",
        "0, 1",
        "-5, 1",
        "8640000000000000, 8640000000000000",
        "8640000000000001, 8640000000000000",
        "9223372036854775807, 8640000000000000"
    })
    void dueTimesAreSentAsKeussCanReadThem(long dueMillis, String text) {
        assertThat(sent(Signal.inserted("orders", dueMillis))).isEqualTo(text);
    }

    @Test
    void pausesAreSentAsKeussDoes() {
        assertThat(sent(Signal.paused("orders"))).isEqualTo("p true");
        assertThat(sent(Signal.resumed("orders"))).isEqualTo("p false");
    }

    @ParameterizedTest
    @CsvSource({"1795253974719, 1795253974719", "0, 1", "1, 1"})
    void dueTimesAreRead(String text, long dueMillis) {
        Signal signal = received(text);
        assertThat(signal).isNotNull();
        assertThat(signal.kind()).isEqualTo(Signal.Kind.INSERTED);
        assertThat(signal.dueMillis()).isEqualTo(dueMillis);
        assertThat(signal.queue()).isEqualTo("orders");
    }

    @Test
    void pausesAreRead() {
        Signal paused = received("p true");
        Signal resumed = received("p false");
        assertThat(paused).isNotNull();
        assertThat(resumed).isNotNull();
        assertThat(paused.kind()).isEqualTo(Signal.Kind.PAUSED);
        assertThat(resumed.kind()).isEqualTo(Signal.Kind.RESUMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "NaN", "-1", "1.5", "1e3", "99999999999999999", "p", "p maybe", "x 1", "ñ", "٣"})
    void otherTextsAreIgnored(String text) {
        assertThat(received(text)).isNull();
    }
}

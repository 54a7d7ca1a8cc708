package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PayloadsTest {
    @Test
    void aTextHasItsNumberItsTimeAndTheRequestedLength() {
        String text = new Payloads(41, 2, 100).text(1, 1_234_567_890_123L);
        assertThat(text).hasSize(100);
        assertThat(Payloads.number(text)).isEqualTo(42);
        assertThat(Payloads.stamp(text)).isEqualTo(1_234_567_890_123L);
    }

    @Test
    void theShortestTextIsNumberAndTimeAlone() {
        assertThat(new Payloads(0, 1, Payloads.MIN_BYTES).text(0)).isEqualTo("0".repeat(Payloads.MIN_BYTES));
        assertThatThrownBy(() -> new Payloads(0, 1, Payloads.MIN_BYTES - 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anotherTextHasNoNumber() {
        assertThat(Payloads.number("")).isEqualTo(-1);
        assertThat(Payloads.number("12345678x" + "0".repeat(30))).isEqualTo(-1);
    }

    @Test
    void onlyAnUnchangedTextHasAnIndex() {
        Payloads sent = new Payloads(40, 3, 100);
        String text = sent.text(1, 5);
        assertThat(sent.index(text)).isEqualTo(1);
        assertThat(sent.index(text.substring(0, 99))).isEqualTo(-1);
        assertThat(sent.index(text.substring(0, 99) + "y")).isEqualTo(-1);
        assertThat(sent.index(new Payloads(43, 1, 100).text(0))).isEqualTo(-1);
    }
}

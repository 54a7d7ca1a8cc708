package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiptTest {
    @ParameterizedTest
    @ValueSource(strings = {"65f0c0ffee", "with:colons:inside", ":", " "})
    void survivesItsTextForm(String id) {
        Receipt receipt = Receipt.of(id, "t-1");
        assertThat(Receipt.parse(receipt.encoded())).isEqualTo(receipt).hasSameHashCodeAs(receipt);
        assertThat(Receipt.parse(receipt.encoded()).id()).isEqualTo(id);
        assertThat(receipt).hasToString("t-1:" + id);
    }

    @Test
    void differsByIdAndByToken() {
        assertThat(Receipt.of("a", "t"))
                .isNotEqualTo(Receipt.of("b", "t"))
                .isNotEqualTo(Receipt.of("a", "u"))
                .isNotEqualTo("t:a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "a:b"})
    void refusesATokenThatItsTextFormCouldNotHold(String token) {
        assertThatIllegalArgumentException().isThrownBy(() -> Receipt.of("id", token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "token", ":id", "token:"})
    void refusesTextThatIsNoReceipt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Receipt.parse(text))
                .withMessageContaining("'" + text);
    }
}

package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PlainTextTest {
    @Test
    void findsEverySpecialByteAtEveryIndex() {
        for (int length = 0; length <= 20; length++) {
            for (int index = 0; index < length; index++) {
                for (int value = Byte.MIN_VALUE; value <= Byte.MAX_VALUE; value++) {
                    byte[] bytes = new byte[length];
                    Arrays.fill(bytes, (byte) '!'); // next to the quote, where a borrow would show
                    bytes[index] = (byte) value;
                    boolean special = value < ' ' || value == '"' || value == '\\';
                    assertThat(PlainText.indexOfSpecial(bytes, 0, length))
                            .as("%s at %s of %s", value, index, length)
                            .isEqualTo(special ? index : length);
                    assertThat(PlainText.isAscii(bytes)).isEqualTo(value >= 0);
                }
            }
        }
    }

    @Test
    void searchesWithinTheGivenRange() {
        byte[] bytes =
                "\"aaaaaaaaaaaaaaaaaaaaaa\"bbbbbbbbbbbbbbb\"".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        assertThat(PlainText.indexOfSpecial(bytes, 1, bytes.length)).isEqualTo(23);
        assertThat(PlainText.indexOfSpecial(bytes, 1, 12)).isEqualTo(12);
        assertThat(PlainText.indexOfSpecial(bytes, 24, bytes.length)).isEqualTo(bytes.length - 1);
        assertThat(PlainText.indexOfSpecial(bytes, 5, 5)).isEqualTo(5);
    }
}

package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Headers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeaderTextTest {
    @Test
    void headersKeepTypesAndOrder() {
        Headers headers = Headers.empty()
                .with("z", "a \"quoted\" \\ text\n\t\u0001 \u00e9 \ud83d\ude80 \ud800 end")
                .with("empty", "")
                .with("min", Long.MIN_VALUE)
                .with("whole", 3.0)
                .with("tiny", 4.9e-324)
                .with("nan", Double.NaN)
                .with("infinite", Double.NEGATIVE_INFINITY)
                .with("yes", true)
                .with("no", false);
        Headers read = HeaderText.read(HeaderText.write(headers));
        assertThat(read).isEqualTo(headers);
        assertThat(read.asMap().keySet())
                .containsExactlyElementsOf(headers.asMap().keySet());
        assertThat(HeaderText.write(Headers.empty())).isNull();
        assertThat(HeaderText.read(null).isEmpty()).isTrue();
    }

    @Test
    void otherFlatJsonIsRead() {
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("a", 1L);
        expected.put("b", "\u00e9\n");
        assertThat(HeaderText.read(" { \"a\" : 1 , \"b\":\"\\u00e9\\n\" } ").asMap())
                .isEqualTo(expected);
        assertThat(HeaderText.read("{}").isEmpty()).isTrue();
    }

    @Test
    void otherTextIsRefused() {
        for (String wrong :
                new String[] {"", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1}x", "{\"a\":\"\\u00"}) {
            assertThatThrownBy(() -> HeaderText.read(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBytesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\"quoted\" and \\ back",
                "\n\r\t\b\f",
                "\u0000\u0001\u001f\u007f",
                "ünïcödé ☃ \ud83d\ude00",
                "\u2028\u2029",
                "</script>\"",
                "\\u0041"
            })
    void textsAreReadBack(String text) throws Exception {
        byte[] ofText = new JsonBytes(0).quoted(text).toArray();
        byte[] ofBytes =
                new JsonBytes(1).quoted(text.getBytes(StandardCharsets.UTF_8)).toArray();
        assertThat(ofBytes).isEqualTo(ofText);
        assertThat(JSON.readValue(ofText, String.class)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "\ude00", "a\ud83d", "\ud83d\ud83d\ude00\ude00", "\ude00\ud83d"})
    void loneSurrogatesAreEscaped(String text) throws Exception {
        byte[] written = new JsonBytes(4).quoted(text).toArray();
        StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(written));
        // Jackson refuses lone surrogates, so the test decodes the escapes itself.
        String escapes = new String(written, StandardCharsets.UTF_8);
        StringBuilder read = new StringBuilder();
        for (int i = 1; i < escapes.length() - 1; i++) {
            if (escapes.charAt(i) == '\\') {
                read.append((char) Integer.parseInt(escapes.substring(i + 2, i + 6), 16));
                i += 5;
            } else {
                read.append(escapes.charAt(i));
            }
        }
        assertThat(read.toString()).isEqualTo(text);
    }

    @Test
    void growsAsNeeded() {
        JsonBytes bytes = new JsonBytes(0);
        for (int i = 0; i < 1_000; i++) {
            bytes.add((byte) 'a').ascii("bc").add(new byte[] {'d'}).quoted("e");
        }
        assertThat(new String(bytes.toArray(), StandardCharsets.UTF_8)).isEqualTo("abcd\"e\"".repeat(1_000));
    }
}

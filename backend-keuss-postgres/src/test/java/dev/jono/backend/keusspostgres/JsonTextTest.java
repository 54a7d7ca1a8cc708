package dev.jono.backend.keusspostgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    private static JsonText.Form form(String text) {
        return JsonText.form(text.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "-0.5",
                "1.10",
                "12345678901234567890",
                "\"\"",
                "\"a\\n\\u0001é😀/\"",
                "[]",
                "[[],{}]",
                "{\"b\":1,\"c\":[1,2],\"aa\":{\"x\":\" , : \"}}"
            })
    void sameTextComesBack(String text) {
        assertThat(form(text)).isEqualTo(JsonText.Form.SAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " 1",
                "[1, 2]",
                "1e2",
                "-0",
                "-0.0",
                "\"\\/\"",
                "\"\\u00e9\"",
                "\"\\u000a\"",
                "\"\\u001F\"",
                "\"\\ud83d\\ude00\"",
                "{\"aa\":1,\"b\":2}",
                "{\"b\":1,\"a\":2}",
                "{\"a\":1,\"a\":2}",
                "{\"\\n\":1}  "
            })
    void anotherTextComesBack(String text) {
        assertThat(form(text)).isEqualTo(JsonText.Form.ANOTHER_TEXT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\"}",
                "{a:1}",
                "01",
                "1.",
                ".5",
                "-",
                "1e",
                "1e5000",
                "nul",
                "\"",
                "\"\\x\"",
                "\"\\u00g0\"",
                "\"\\u0000\"",
                "\"\\ud83d\"",
                "\"\\ude00\"",
                "\"\\ud83d\\u0041\"",
                "\"\t\"",
                "1 2",
                "\ufeff1"
            })
    void isRefused(String text) {
        assertThat(form(text)).isEqualTo(JsonText.Form.REFUSED);
    }

    @Test
    void depthIsLimited() {
        assertThat(form("[".repeat(900) + "]".repeat(900))).isEqualTo(JsonText.Form.SAME);
        assertThat(form("[".repeat(901) + "]".repeat(901))).isEqualTo(JsonText.Form.REFUSED);
    }

    @Test
    void blanksOfPostgresAreRemovedOutsideOfStrings() {
        byte[] jsonb = "{\"a\": [1, 2], \"b, c\": \"\\\", \\\\\", \"d\": \" \"}".getBytes(StandardCharsets.UTF_8);
        assertThat(new String(JsonText.withoutBlanks(jsonb), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":[1,2],\"b, c\":\"\\\", \\\\\",\"d\":\" \"}");
    }
}

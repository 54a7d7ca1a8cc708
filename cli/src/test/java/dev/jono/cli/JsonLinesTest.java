package dev.jono.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLinesTest {
    private static String line(EncodedPayload payload, PushOptions options) throws IOException, InterruptedException {
        try (QueueFactory jono = QueueFactory.connect("memory:")) {
            MessageQueue<EncodedPayload> queue = jono.queue("q", Codec.raw());
            queue.push(payload, options);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            JsonLines lines = new JsonLines(out);
            lines.message(queue.pop(Duration.ZERO).orElseThrow());
            lines.flush();
            return out.toString(UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "\ufeff1", "1\n2", "x", "\"a\nb\""})
    void what_another_client_stored_as_json_and_is_none_still_makes_one_line(String broken) throws Exception {
        String line = line(EncodedPayload.of(PayloadKind.JSON, broken.getBytes(UTF_8)), PushOptions.none());

        assertThat(line.lines()).hasSize(1);
        assertThat(Jono.read(line).get("payload").textValue()).isEqualTo(broken);
        assertThat(Jono.read(line).get("kind").textValue()).isEqualTo("json");
        assertThat(Jono.read(line).get("broken").booleanValue()).isTrue();
    }

    @Test
    void headers_keep_their_types() throws Exception {
        PushOptions options = PushOptions.none()
                .header("s", "1")
                .header("l", Long.MAX_VALUE)
                .header("d", 0.5)
                .header("b", true);

        assertThat(line(EncodedPayload.of(PayloadKind.STRING, new byte[0]), options))
                .contains("\"headers\":{\"s\":\"1\",\"l\":9223372036854775807,\"d\":0.5,\"b\":true}")
                .contains("\"payload\":\"\"");
    }
}

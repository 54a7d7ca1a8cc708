package dev.jono.backend.redislist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Reads what keuss 2.0.6 has stored, and stores the same text with an id. */
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class GoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LIST = "keuss:q:list:orders";

    @Test
    void everyKindIsReadAndWrittenAsKeussDoes() throws IOException {
        try (RedisServer redis = RedisServer.start();
                Backend backend = new RedisListBackendProvider()
                        .open(PluginConfig.builder()
                                .url(ConnectionUrl.parse("redis-list:" + redis.uri()))
                                .executor(Runnable::run)
                                .build());
                InputStream file = Objects.requireNonNull(
                        GoldenTest.class.getResourceAsStream("/keuss/fixtures/redis-list.json"))) {
            QueueStore store = backend.queue(QueueSpec.builder().name("orders").build());
            JsonNode kinds = JSON.readTree(file).get("kinds");
            assertThat(kinds).hasSizeGreaterThan(10);
            for (JsonNode kind : kinds) {
                String name = kind.get("kind").asText();
                String golden = kind.get("stored").asText();
                redis.call("LPUSH", LIST, golden);
                StoredMessage read = store.take(ClaimRequest.builder()
                                .max(5)
                                .token("read " + name)
                                .build())
                        .toCompletableFuture()
                        .join()
                        .messages()
                        .get(0);
                JsonNode stored = JSON.readTree(golden);
                assertThat(read.payload()).as(name).isEqualTo(payload(stored));
                assertThat(read.headers()).as(name).isEqualTo(headers(stored));

                store.insert(InsertRequest.builder()
                                .messages(List.of(NewMessage.builder()
                                        .payload(read.payload())
                                        .headers(read.headers())
                                        .build()))
                                .token("write " + name)
                                .build())
                        .toCompletableFuture()
                        .join();
                String written = String.valueOf(redis.call("RPOP", LIST));
                ObjectNode fields = (ObjectNode) JSON.readTree(written);
                assertThat(written).as(name).startsWith(golden.substring(0, golden.length() - 1));
                assertThat(fields.remove("_id").isTextual()).isTrue();
                assertThat(fields).as(name).isEqualTo(stored);
            }
        }
    }

    private static Headers headers(JsonNode stored) throws IOException {
        Headers headers = Headers.empty();
        for (Map.Entry<String, JsonNode> header : stored.get("hdrs").properties()) {
            headers = headers.with(header.getKey(), JSON.treeToValue(header.getValue(), Object.class));
        }
        return headers;
    }

    private static EncodedPayload payload(JsonNode stored) throws IOException {
        JsonNode payload = stored.get("payload");
        if (stored.path("type").asText().equals("buffer")) {
            return EncodedPayload.of(PayloadKind.BYTES, Base64.getDecoder().decode(payload.asText()));
        }
        return payload.isTextual()
                ? EncodedPayload.of(PayloadKind.STRING, payload.asText().getBytes(StandardCharsets.UTF_8))
                : EncodedPayload.of(PayloadKind.JSON, JSON.writeValueAsBytes(payload));
    }
}

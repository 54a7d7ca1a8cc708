package dev.jono.backend.redisoq;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.spi.NewMessage;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what keuss 2.0.6 has stored, and stores the same text as keuss. */
class GoldenTest extends QueueOnRedis {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A fixture for one kind of payload; the name of the test case is its name. */
    record Kind(JsonNode fixture) {
        String text(String... path) {
            JsonNode node = fixture;
            for (String step : path) {
                node = node.get(step);
            }
            return node.asText();
        }

        JsonNode stored() throws IOException {
            return JSON.readTree(text("stored"));
        }

        /** The payload as a Java program would push it. */
        EncodedPayload payload() throws IOException {
            JsonNode payload = stored().get("payload");
            if (stored().path("type").asText().equals("buffer")) {
                return EncodedPayload.of(PayloadKind.BYTES, Base64.getDecoder().decode(payload.asText()));
            }
            return payload.isTextual()
                    ? EncodedPayload.of(PayloadKind.STRING, payload.asText().getBytes(StandardCharsets.UTF_8))
                    : EncodedPayload.of(PayloadKind.JSON, JSON.writeValueAsBytes(payload));
        }

        @Override
        public String toString() {
            return text("kind");
        }
    }

    static Stream<Kind> kinds() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(GoldenTest.class.getResourceAsStream("/keuss/fixtures/redis-oq.json"))) {
            return StreamSupport.stream(JSON.readTree(file).get("kinds").spliterator(), false)
                    .map(Kind::new);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void writesWhatKeussWrites(Kind kind) throws IOException {
        Headers headers = Headers.empty();
        for (Map.Entry<String, JsonNode> header : kind.stored().get("hdrs").properties()) {
            headers = headers.with(header.getKey(), JSON.treeToValue(header.getValue(), Object.class));
        }
        NewMessage message =
                NewMessage.builder().payload(kind.payload()).headers(headers).build();
        String id = Objects.requireNonNull(RawBackend.got(raw.store().insert(RawBackend.inserting(message)))
                .items()
                .get(0)
                .id());
        String mature = String.valueOf(redis.call("ZSCORE", INDEX, id));
        assertThat(redis.call("HGET", HASH, id))
                .isEqualTo(kind.text("stored")
                        .replace(kind.stored().get("_id").asText(), id)
                        .replace("\"mature\":" + kind.stored().get("mature").asText(), "\"mature\":" + mature));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void readsWhatKeussWrote(Kind kind) throws IOException {
        put(kind, kind.text("stored"), kind.text("score"));
        StoredMessage claimed = claimOne(kind);
        assertThat(claimed.payload()).isEqualTo(kind.payload());
        assertThat(claimed.tries()).isZero();
        assertThat(claimed.expired()).isFalse();
        assertThat(claimed.dueMillis()).isEqualTo(Long.parseLong(kind.text("score")));
        if (kind.toString().equals("object")) {
            assertThat(claimed.headers().asMap()).isEqualTo(Map.of("h1", "aaa", "h2", 12L, "h3", false, "h4", 12.34));
        }
        assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed))).outcomes())
                .containsExactly(Outcome.DONE);
        assertThat(redis.call("EXISTS", HASH, INDEX)).isEqualTo(0L);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void reservationOfKeussThatRanOutCountsAsADelivery(Kind kind) throws IOException {
        put(kind, kind.text("after_first_reserve", "hash"), kind.text("after_first_reserve", "score"));
        StoredMessage claimed = claimOne(kind);
        assertThat(claimed.tries()).isEqualTo(1);
        assertThat(claimed.expired()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void keepsTheTriesThatKeussCounted(Kind kind) throws IOException {
        put(kind, kind.text("after_ko", "hash"), kind.text("after_ko", "score"));
        StoredMessage claimed = claimOne(kind);
        assertThat(claimed.tries()).isEqualTo(1);
        assertThat(claimed.expired()).isFalse();
        ReleaseRequest retry = ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(RawBackend.receipt(claimed), null, true)))
                .token(UUID.randomUUID().toString())
                .build();
        assertThat(RawBackend.got(raw.store().release(retry)).outcomes()).containsExactly(Outcome.DONE);
        // As keuss's parser reads it: if a field occurs twice, the last one counts.
        JsonNode stored = JSON.readTree(String.valueOf(redis.call("HGET", HASH, claimed.id())));
        assertThat(stored.get("tries").asInt()).isEqualTo(2);
        assertThat(stored.get("reserved").asBoolean()).isFalse();
    }

    @Test
    void entryWithoutAMessageDoesNotBlockTheQueue() {
        redis.call("ZADD", INDEX, "1795254331014", "nothing");
        raw.insert("a");
        assertThat(raw.claim(5).messages()).hasSize(1);
        assertThat(redis.call("ZCARD", INDEX)).isEqualTo(1L);
    }

    /** keuss's payload {@code undefined}, and texts that a client wrote by mistake: consumers must be able to settle them. */
    @ParameterizedTest
    @ValueSource(
            strings = {"{\"_id\":\"x\",\"tries\":0,\"hdrs\":{},\"mature\":1795254331014}", "no message at all", ""})
    void invalidMessageIsSettledLikeAnyOther(String text) {
        redis.call("HSET", HASH, "x", text);
        redis.call("ZADD", INDEX, "1795254331014", "x");
        StoredMessage claimed = raw.claim(1).messages().get(0);
        ReleaseRequest retry = ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(RawBackend.receipt(claimed), null, true)))
                .token(UUID.randomUUID().toString())
                .build();
        assertThat(RawBackend.got(raw.store().release(retry)).outcomes()).containsExactly(Outcome.DONE);
        claimed = raw.claim(1).messages().get(0);
        assertThat(claimed.dueMillis()).isEqualTo(1795254331014L);
        assertThat(claimed.tries()).isEqualTo(1);
        assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed))).outcomes())
                .containsExactly(Outcome.DONE);
        assertThat(redis.call("EXISTS", HASH, INDEX)).isEqualTo(0L);
        assertThat(String.valueOf(redis.call("KEYS", "jono:oq:claims*"))).isEqualTo("[]");
    }

    /** keuss reserves a message whose lease has expired. Jono's receipt is then stale. */
    @Test
    void anyReserveOrKoOfKeussBreaksTheFence() {
        raw.insert("a");
        StoredMessage claimed = raw.claim(1).messages().get(0);
        redis.call("ZINCRBY", INDEX, "120000", claimed.id());
        assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed))).outcomes())
                .containsExactly(Outcome.STALE);
    }

    private void put(Kind kind, String text, String score) throws IOException {
        String id = kind.stored().get("_id").asText();
        redis.call("HSET", HASH, id, text);
        redis.call("ZADD", INDEX, score, id);
    }

    private StoredMessage claimOne(Kind kind) throws IOException {
        List<StoredMessage> found = raw.claim(5).messages();
        assertThat(found).hasSize(1);
        assertThat(found.get(0).id()).isEqualTo(kind.stored().get("_id").asText());
        return found.get(0);
    }
}

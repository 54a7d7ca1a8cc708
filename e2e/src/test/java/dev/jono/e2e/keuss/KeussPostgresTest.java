package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.Reservation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code keuss-postgres} together with keuss's {@code postgres}. Signals and stats are in a Redis, which both can use. */
class KeussPostgresTest extends KeussCase implements ReservingTogether {
    private static final String FIXTURE = "postgres";
    private static final String TABLE = "\"_k_tbl_qs\"";

    KeussPostgresTest() {
        super(new PostgresPlace());
    }

    @Override
    public KeussCase together() {
        return this;
    }

    private List<List<@Nullable String>> sql(String statement) {
        return ((PostgresPlace) place()).sql(statement);
    }

    /** The only row, as keuss stores it: {@code _id}, {@code _pl}, {@code mature}, {@code tries}, {@code reserved}. */
    private List<@Nullable String> row() {
        List<List<@Nullable String>> rows = sql("SELECT _id, _pl, mature, tries, reserved FROM " + TABLE);
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static JsonNode payload(JsonNode pl) {
        return pl.has("type")
                ? Keuss.JSON
                        .createObjectNode()
                        .put("$buffer_base64", pl.get("payload").asText())
                : pl.get("payload");
    }

    @Test
    void whatKeussStoredIsReadHere() throws InterruptedException {
        factory.queue("qs");
        MessageQueue<EncodedPayload> queue = raw("qs");
        for (JsonNode kind : Fixtures.kinds(FIXTURE)) {
            JsonNode stored = kind.get("stored");
            JsonNode pl = Fixtures.json(stored.get("_pl").asText());
            sql("INSERT INTO " + TABLE + " VALUES ('" + stored.get("_id").asText() + "', '"
                    + stored.get("_pl").asText() + "', '" + stored.get("mature").asText() + "', 0)");
            Message<EncodedPayload> message = popped(queue);
            assertThat(message.id()).isEqualTo(stored.get("_id").asText());
            assertThat(Fixtures.shown(message.payload()))
                    .as(kind.get("kind").asText())
                    .isEqualTo(payload(pl));
            assertThat(Fixtures.shown(message.headers())).isEqualTo(pl.get("hdrs"));
            assertThat(message.tries()).isZero();
            assertThat(message.dueAt())
                    .isEqualTo(Instant.parse(
                            kind.get("popped_back_by_keuss").get("mature").asText()));
        }
    }

    @Test
    void whatIsPushedHereIsStoredAsKeussDoesAndReadByIt() {
        MessageQueue<EncodedPayload> queue = raw("qs");
        for (JsonNode kind : Fixtures.kinds(FIXTURE)) {
            JsonNode expected = Fixtures.json(kind.get("stored").get("_pl").asText());
            JsonNode shown = payload(expected);
            if (shown.isNull()) {
                continue; // refused here as in all backends, because it crashes Node on other backends
            }
            PushOptions options = PushOptions.none();
            for (Map.Entry<String, Object> header :
                    Fixtures.values(expected.get("hdrs")).entrySet()) {
                options = options.header(header.getKey(), header.getValue());
            }
            String id = queue.push(Fixtures.payload(shown), options).id();
            List<@Nullable String> row = row();
            assertThat(row.get(0)).isEqualTo(id);
            ObjectNode stored = (ObjectNode) Fixtures.json(Objects.requireNonNull(row.get(1)));
            assertThat(stored.remove(List.of("kind", "json")))
                    .as(kind.get("kind").asText())
                    .isEqualTo(expected);
            assertThat(row.get(3)).isEqualTo("0");
            assertThat(row.get(4)).isNull();
            JsonNode delivered = factory.queue("qs").pop(LONG);
            assertThat(delivered.get("payload")).isEqualTo(shown);
            assertThat(delivered.get("hdrs")).isEqualTo(expected.get("hdrs"));
            assertThat(delivered.get("tries").asInt()).isZero();
        }
    }

    @Test
    void tableHasTheColumnsAndTheIndexOfKeuss() {
        raw("made_here").push(Fixtures.payload(Fixtures.json("1")));
        factory.queue("made_here");
        List<List<@Nullable String>> columns = new ArrayList<>();
        Fixtures.read(FIXTURE).get("columns").forEach(column -> {
            List<@Nullable String> values = new ArrayList<>();
            column.forEach(value -> values.add(value.isNull() ? null : value.asText()));
            columns.add(values);
        });
        assertThat(sql("SELECT column_name, data_type, character_maximum_length, is_nullable, column_default"
                        + " FROM information_schema.columns WHERE table_schema = current_schema"
                        + " AND table_name = '_k_tbl_made_here' ORDER BY ordinal_position"))
                .startsWith(columns.get(0), columns.get(1), columns.get(2), columns.get(3), columns.get(4))
                .hasSize(columns.size() + 1);
        assertThat(sql("SELECT indexname FROM pg_indexes WHERE tablename = '_k_tbl_made_here'"
                        + " AND schemaname = current_schema ORDER BY indexname"))
                .containsExactlyInAnyOrder(
                        List.of("_k_tbl_made_here_pkey"),
                        List.of("idx_\"_k_tbl_made_here\"_mature"),
                        List.of("jono_held_made_here"));
    }

    @Test
    void tableOfKeussIsUsedByBoth() throws InterruptedException {
        KeussQueue theirs = factory.queue("qs");
        theirs.push("x");
        Reservation<EncodedPayload> held = raw("qs").reserve(LONG).orElseThrow();
        assertThat(row().get(3)).isEqualTo("1");
        assertThat(row().get(4)).isNotNull();
        theirs.push("y");
        assertThat(theirs.pop(LONG).get("payload").asText()).isEqualTo("y");
        held.retry(Duration.ZERO);
        assertThat(row().get(4)).isNull();
        assertThat(theirs.pop(LONG).get("tries").asInt()).isEqualTo(1);
        assertThat(jono.queues()).containsExactly("__deadletter__", "qs");
    }

    @Test
    void keussSettlesAndRemovesByTheIdsMadeHere() throws InterruptedException {
        MessageQueue<EncodedPayload> queue = raw("qs");
        KeussQueue theirs = factory.queue("qs");
        String removed = queue.push(Fixtures.payload(Fixtures.json("1"))).id();
        assertThat(theirs.remove(removed)).isTrue();
        String id = queue.push(Fixtures.payload(Fixtures.json("2"))).id();
        assertThat(id(theirs.reserve(LONG))).isEqualTo(id);
        assertThat(theirs.ko(id).asBoolean()).isTrue();
        assertThat(theirs.reserve(LONG).get("tries").asInt()).isEqualTo(1);
        assertThat(theirs.ok(id)).isTrue();
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void payloadThatJsonbWouldChangeComesBackAsItWas() throws InterruptedException {
        String payload = "{\"second\":[],\"a\":[[]],\"n\":1234567890123456789,\"e\":1e2,\"nul\":\"\\u0000\"}";
        for (String text : List.of(payload, payload.replace(",\"nul\":\"\\u0000\"", ""))) {
            raw("qs").push(EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8)));
            raw("qs").reserve(LONG).orElseThrow().retry(Duration.ZERO);
            Message<EncodedPayload> again = popped(raw("qs"));
            assertThat(again.payload().text()).isEqualTo(text);
            assertThat(again.tries()).isEqualTo(1);
        }
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothPopThousandsAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).pop();
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothReserveThousandsAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).reserve();
    }
}

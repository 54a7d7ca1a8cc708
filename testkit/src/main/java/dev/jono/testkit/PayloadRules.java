package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.Reservation;
import dev.jono.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads and headers are returned exactly as they were pushed. */
abstract class PayloadRules extends ContractCase {
    /** A payload with a field of every kind. */
    public record Everything(
            long min,
            long max,
            BigInteger huge,
            BigDecimal exact,
            double real,
            boolean yes,
            String text,
            List<Byte> bytes,
            List<List<Integer>> nested,
            Map<String, List<String>> map,
            Instant instant,
            LocalDate date,
            OffsetDateTime offset,
            Duration duration,
            Optional<String> some,
            Optional<String> none,
            @Nullable String nothing) {}

    PayloadRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private <T> T roundTrip(MessageQueue<T> queue, T payload) throws InterruptedException {
        queue.push(payload);
        return popped(queue).payload();
    }

    @Test
    void recordComesBackFieldByField() throws Exception {
        Everything sent = new Everything(
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                new BigInteger("123456789012345678901234567890"),
                new BigDecimal("12345678901234567890.12345678901230"),
                Math.PI,
                true,
                "quote \" backslash \\ newline \n tab \t nul \0 \u00e9 \ud83d\ude80 \u2028",
                List.of((byte) 0, (byte) -1, (byte) 127),
                List.of(List.of(), List.of(1, 2), List.of()),
                Map.of("empty", List.of(), "one", List.of("x")),
                Instant.parse("2026-02-03T04:05:06.123456789Z"),
                LocalDate.of(2024, 2, 29),
                OffsetDateTime.parse("2026-02-03T04:05:06.5+05:30"),
                Duration.parse("PT26H3M4.000000005S"),
                Optional.of("there"),
                Optional.empty(),
                null);
        Everything got = roundTrip(jono().queue("orders", Everything.class), sent);
        assertThat(got).usingRecursiveComparison().isEqualTo(sent);
        assertThat(got.exact()).hasToString(sent.exact().toString());
    }

    @Test
    void untypedJsonKeepsEmptyArraysObjectsAndNumbers() throws Exception {
        Map<String, @Nullable Object> sent = new LinkedHashMap<>();
        sent.put("emptyList", List.of());
        sent.put("emptyMap", Map.of());
        sent.put("nested", List.of(List.of(List.of()), List.of(Map.of("a", List.of()))));
        sent.put("long", 9_007_199_254_740_993L);
        sent.put("decimal", new BigDecimal("1.10"));
        sent.put("null", null);
        sent.put("unicode", "\u00e9\ud83d\ude80");
        Object got = roundTrip(jono().queue("orders", Object.class), sent);
        assertThat(got).isEqualTo(sent);
        Map<?, ?> map = (Map<?, ?>) got;
        assertThat(new ArrayList<Object>(map.keySet())).isEqualTo(new ArrayList<Object>(sent.keySet()));
        assertThat(map.get("decimal")).hasToString("1.10");
    }

    @Test
    void scalarsAreJsonToo() throws Exception {
        assertThat(roundTrip(jono().queue("longs", Long.class), Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(roundTrip(jono().queue("texts", String.class), "plain")).isEqualTo("plain");
        assertThat(roundTrip(jono().queue("lists", new TypeRef<List<Integer>>() {}), List.of()))
                .isEmpty();
        assertThat(roundTrip(jono().queue("bools", Boolean.class), false)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\"", "{", "null", "\u0000", "\ud83d\ude80", "\u00e9\n\r\t", "a'b\"c\\d"})
    void textComesBack(String text) throws Exception {
        assertThat(roundTrip(orders(), text)).isEqualTo(text);
    }

    @Test
    void textThatIsNoUnicodeIsRefused() {
        assertThatThrownBy(() -> orders().push("lone \ud83d surrogate")).isInstanceOf(EncodingException.class);
        assertThat(orders().totalSize()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 65_536, 1 << 20})
    void bytesComeBack(int size) throws Exception {
        byte[] sent = new byte[size];
        new Random(size).nextBytes(sent);
        assertThat(roundTrip(jono().queue("orders", Codec.bytes()), sent)).isEqualTo(sent);
    }

    @Test
    void everyByteComesBack() throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) {
            all[i] = (byte) i;
        }
        assertThat(roundTrip(jono().queue("orders", Codec.bytes()), all)).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource(PayloadKind.class)
    void kindIsKept(PayloadKind kind) throws Exception {
        EncodedPayload sent = EncodedPayload.of(kind, "{\"a\": [ ] }".getBytes(StandardCharsets.UTF_8));
        assertThat(roundTrip(jono().queue("orders", Codec.raw()), sent)).isEqualTo(sent);
    }

    /** Equal JSON values with different text (blanks, escapes, digits), and text that is not JSON. */
    private static final List<String> TEXTS = List.of(
            " {\"a\":1} ",
            "\t[1, 2 ]\r\n",
            "{ \"a\" : [ ] }",
            "[1,\n2]",
            " \"x\"",
            "\" x \" ",
            " 1 ",
            "\n null",
            " true",
            "\"\ud83d\ude00\"",
            "{\"\ud83d\ude00\":[\"\u00e9\u4e2d\u2028\u007f\"]}",
            "\"\\ud83d\\ude00\"",
            "\"\\u00e9\\/\\u000a\\n\"",
            "\"\\ud83d\"",
            "\ufeff{\"a\":\"b\"}",
            "1.10",
            "[1e2,1E+2,100,1e-7,0.0000001]",
            "[-0,-0.0,0.0,0]",
            "[9007199254740993,100000000000000000000,0.1,5.0]",
            "{\"b\":1,\"a\":2,\"b\":3}",
            "{\"a\":",
            "\"\"",
            "");

    @Test
    void rawJsonComesBackByteForByte() throws Exception {
        MessageQueue<EncodedPayload> queue = jono().queue("orders", Codec.raw());
        for (String text : TEXTS) {
            EncodedPayload sent = EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
            assertThat(roundTrip(queue, sent)).as(text).isEqualTo(sent);
        }
        byte[] noUnicode = {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, (byte) 0xc0, (byte) 0x80, (byte) 0xff, '"'};
        EncodedPayload sent = EncodedPayload.of(PayloadKind.JSON, noUnicode);
        assertThat(roundTrip(queue, sent)).isEqualTo(sent);
    }

    /** Also if the storage rewrites the message for each delivery. */
    @Test
    void rawJsonComesBackByteForByteFromEveryDelivery() throws Exception {
        requires(Capability.RESERVE);
        MessageQueue<EncodedPayload> queue = jono().queue("orders", Codec.raw());
        for (String text : TEXTS) {
            EncodedPayload sent = EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
            queue.push(sent);
            for (int delivery = 0; delivery < 3; delivery++) {
                Reservation<EncodedPayload> reserved =
                        queue.reserve(Duration.ZERO).orElseThrow();
                assertThat(reserved.payload()).as(text).isEqualTo(sent);
                if (delivery < 2) {
                    reserved.retry(Duration.ZERO);
                } else {
                    reserved.ack();
                }
            }
        }
    }

    @Test
    void headersOfEveryTypeComeBackInOrder() throws Exception {
        PushOptions options = PushOptions.none()
                .header("text", "a \"quoted\" \u00e9\ud83d\ude80")
                .header("empty", "")
                .header("min", Long.MIN_VALUE)
                .header("max", Long.MAX_VALUE)
                .header("int", 5)
                .header("tenth", 0.1)
                .header("whole", 3.0)
                .header("tiny", Double.MIN_VALUE)
                .header("yes", true)
                .header("no", false)
                .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                .header("a".repeat(64), "longest name");
        orders().push("a", options);
        Message<String> got = popped(orders());
        assertThat(got.headers().asMap()).isEqualTo(options.headers().asMap());
        assertThat(got.headers().get("int")).isEqualTo(5L);
        assertThat(got.headers().get("whole")).isEqualTo(3.0);
    }

    @Test
    void messageTellsItsRawPayloadAndTimes() throws Exception {
        orders().push("a");
        Message<String> got = popped(orders());
        assertThat(got.raw().text()).isEqualTo("a");
        assertThat(got.dueAt()).isAfter(Instant.parse("2015-01-01T00:00:00Z"));
        got.pushedAt().ifPresent(pushed -> assertThat(pushed).isEqualTo(got.dueAt()));
    }

    @Test
    void codecsCompose() throws Exception {
        Codec<LocalDate> dates = Codec.string().map(LocalDate::toString, LocalDate::parse);
        Codec<LocalDate> secret = dates.through(
                bytes -> Base64.getEncoder().encode(bytes),
                bytes -> Base64.getDecoder().decode(bytes));
        MessageQueue<LocalDate> queue = jono().queue("orders", secret);
        queue.push(LocalDate.of(2026, 1, 2));
        Message<LocalDate> got = popped(queue);
        assertThat(got.payload()).isEqualTo(LocalDate.of(2026, 1, 2));
        assertThat(got.raw().kind()).isEqualTo(PayloadKind.BYTES);
        assertThat(got.raw().text()).doesNotContain("2026");
    }

    @Test
    void unknownPropertiesAreIgnored() throws Exception {
        jono().queue("orders", Codec.raw())
                .push(EncodedPayload.of(PayloadKind.JSON, "{\"n\":1,\"more\":[1]}".getBytes(StandardCharsets.UTF_8)));
        assertThat(popped(jono().queue("orders", Small.class)).payload()).isEqualTo(new Small(1));
    }

    /** A payload with one field. */
    public record Small(int n) {}

    @Test
    void arrayThatIsPushedMayBeChangedAfterTheReturn() throws Exception {
        MessageQueue<byte[]> queue = jono().queue("orders", Codec.bytes());
        byte[] sent = {1, 2, 3};
        queue.push(sent);
        Arrays.fill(sent, (byte) 9);
        assertThat(popped(queue).payload()).containsExactly(1, 2, 3);
    }
}

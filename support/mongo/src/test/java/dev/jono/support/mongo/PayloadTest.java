package dev.jono.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.bson.BsonDocument;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads, headers and ids as BSON and back. */
class PayloadTest {
    private static EncodedPayload json(String text) {
        return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
    }

    private static RawBsonDocument written(EncodedPayload payload) {
        PayloadWriter to = new PayloadWriter(64);
        to.writer().writeStartDocument();
        to.payload("payload", payload);
        to.headers("hdrs", Headers.empty().with("a", 1));
        to.marks();
        to.writer().writeEndDocument();
        return to.document();
    }

    private static EncodedPayload read(RawBsonDocument document) {
        try (PayloadReader from = new PayloadReader(document)) {
            from.reader().readStartDocument();
            for (BsonType type = from.reader().readBsonType();
                    type != BsonType.END_OF_DOCUMENT;
                    type = from.reader().readBsonType()) {
                String name = from.reader().readName();
                if (name.equals("payload")) {
                    from.payload();
                } else if (name.equals("hdrs")) {
                    assertThat(from.headers(type).asMap()).containsEntry("a", 1L);
                } else {
                    from.mark(name, type);
                }
            }
            return from.decoded();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "[[],{}]",
                "true",
                "\"text\"",
                "{\"a\":1,\"b\":\"2\",\"n\":{\"x\":[1,2]}}",
                "{\"\":0,\"$a\":1,\"b.c\":2}",
                "[-1,2147483647,-2147483648,2147483648,-2147483649,1795254339850]",
                "[9007199254740992,9007199254740993,9223372036854775807,-9223372036854775808]",
                "[9223372036854775808,12345678901234567890.1200,1234567890123456789012345678901234]",
                "[0.1,12.34,3.0,-0.0,1.0E-5,1.0E10,123456789.125]",
                "[1.10,1e2,-0,1E400,0.10000000000000001,1.0]",
                "{ \"blank\" : [ 1 , 2 ] }",
                "\"\\u00e9 é 🚀 \\\\ \\\" \\/ \\n \\u0000 \\u001f \\ud800\"",
                "{\"a\":\"x\\ny\"}",
                "{\"a\":1,\"a\":2}",
                "[null,{\"a\":null}]",
                "[0.1000000000000000000000000000000000000000,1000000000000000000000000000000000000000]"
            })
    void jsonComesBackByteForByte(String text) {
        assertThat(read(written(json(text)))).isEqualTo(json(text));
    }

    /** Common JSON needs no second copy of its text. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"s\":\"ä\\nb\",\"d\":12.5,\"whole\":3.0,\"t\":1795254339850,\"l\":[true,false,null]}",
                "12345678901234567890.1200"
            })
    void textThatBsonReproducesIsNotKept(String text) {
        assertThat(written(json(text))).doesNotContainKeys("json", "kind");
        assertThat(written(json("{ }"))).containsKey("json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "", " ", "{} {}", "{\"a\":1", "\ufeff", "NaN", "01", "[1,]"})
    void invalidJsonIsKeptAsBytes(String text) {
        RawBsonDocument document = written(json(text));
        assertThat(document.get("payload")).isInstanceOf(org.bson.BsonBinary.class);
        assertThat(read(document)).isEqualTo(json(text));
    }

    @Test
    void jsonThatIsNestedTooDeepIsKeptAsBytes() {
        EncodedPayload deep = json("[".repeat(10_000) + "]".repeat(10_000));
        assertThat(read(written(deep))).isEqualTo(deep);
        EncodedPayload fits = json("[".repeat(150) + "]".repeat(150));
        assertThat(written(fits).get("payload")).isInstanceOf(org.bson.BsonArray.class);
        assertThat(read(written(fits))).isEqualTo(fits);
    }

    @Test
    void numbersHaveTheTypesOfKeuss() {
        BsonDocument payload = written(
                        json(
                                "{\"i\":5,\"ms\":1795254339850,\"big\":9007199254740993,\"d\":0.5,\"exact\":0.10000000000000000001}"))
                .getDocument("payload");
        assertThat(payload.isInt32("i")).isTrue();
        assertThat(payload.isDouble("ms")).isTrue();
        assertThat(payload.isInt64("big")).isTrue();
        assertThat(payload.isDouble("d")).isTrue();
        assertThat(payload.getDecimal128("exact").getValue()).isEqualTo(Decimal128.parse("0.10000000000000000001"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567890123456789012345",
                "1.2345678901234567890123456789012345",
                "1e7000",
                "0.1234567890123456789012345678901234567891",
                "1234567890123456789012345678901234567891"
            })
    void numberThatADecimalCannotRepresentIsRefused(String text) {
        assertThatThrownBy(() -> written(json("[" + text + "]")))
                .isInstanceOf(BsonSerializationException.class)
                .hasMessageContaining(text)
                .hasMessageContaining("34 digits");
    }

    @Test
    void numberOfAMillionDigitsIsRefusedAtOnce() {
        assertThatThrownBy(() -> written(json("1".repeat(1_000_000)))).isInstanceOf(BsonSerializationException.class);
    }

    @Test
    void keyWithANulIsRefused() {
        assertThatThrownBy(() -> written(json("{\"a\\u0000b\":1}")))
                .isInstanceOf(BsonSerializationException.class)
                .hasMessageContaining("'a?b'")
                .hasMessageContaining("NUL");
    }

    @ParameterizedTest
    @EnumSource(PayloadKind.class)
    void bytesOfAnyKindComeBack(PayloadKind kind) {
        EncodedPayload payload = EncodedPayload.of(kind, new byte[] {0, -1, 10, 13, 34, 92, -128, 127});
        assertThat(read(written(payload))).isEqualTo(payload);
    }

    @Test
    void textWithoutAMarkIsAText() {
        EncodedPayload text = EncodedPayload.of(PayloadKind.STRING, "äöü \0".getBytes(StandardCharsets.UTF_8));
        assertThat(written(text)).doesNotContainKey("kind");
        assertThat(read(written(text))).isEqualTo(text);
    }

    /** The check for ASCII reads eight bytes at once; other characters are at each position within and after them. */
    @Test
    void textIsStoredAsItIs() {
        for (int length = 0; length < 300; length++) {
            String text = "x".repeat(length) + (length % 2 == 0 ? "" : "é🚀") + "y".repeat(length % 9);
            RawBsonDocument document =
                    written(EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8)));
            assertThat(document.getString("payload").getValue()).isEqualTo(text);
            assertThat(document).doesNotContainKey("kind");
        }
    }

    @Test
    void brokenTextIsKeptAsBytes() {
        for (int at = 0; at < 20; at++) {
            byte[] bytes = "x".repeat(20).getBytes(StandardCharsets.UTF_8);
            bytes[at] = (byte) 0xc3;
            EncodedPayload broken = EncodedPayload.of(PayloadKind.STRING, bytes);
            assertThat(written(broken)).containsKey("kind");
            assertThat(read(written(broken))).isEqualTo(broken);
        }
    }

    /** The driver may return a document as a part of a longer buffer. */
    @Test
    void documentInTheMiddleOfABufferIsRead() {
        EncodedPayload payload = json("{ \"a\" : 1.10 }");
        ByteBuffer bytes = written(payload).getByteBuffer().asNIO();
        byte[] around = new byte[bytes.remaining() + 20];
        bytes.get(around, 7, bytes.remaining());
        assertThat(read(new RawBsonDocument(around, 7, around.length - 20))).isEqualTo(payload);
    }

    /** A pipeline of keuss may change a part of a payload; then the kept text does not belong to it any more. */
    @Test
    void keptTextOfAChangedPayloadIsIgnored() {
        BsonDocument document = written(json("{ \"a\" : 1 }")).decode(new BsonDocumentCodec());
        document.getDocument("payload").put("b", new BsonString("new"));
        assertThat(read(new RawBsonDocument(document, new BsonDocumentCodec())))
                .isEqualTo(json("{\"a\":1,\"b\":\"new\"}"));
    }

    @Test
    void foreignTypesBecomeTheSameJsonAsOnRedis() {
        BsonDocument document = BsonDocument.parse("{payload: {d: {$date: '2026-11-21T18:00:00.120Z'},"
                + " o: {$oid: '6b01684368ec4b5a628d05bc'}, b: {$binary: {base64: 'AQI=', subType: '00'}},"
                + " u: {$undefined: true}, n: {$numberDouble: 'NaN'}}, hdrs: {a: 1}}");
        assertThat(read(new RawBsonDocument(document, new BsonDocumentCodec())).text())
                .isEqualTo("{\"d\":\"2026-11-21T18:00:00.120Z\",\"o\":\"6b01684368ec4b5a628d05bc\",\"b\":\"AQI=\","
                        + "\"u\":null,\"n\":\"NaN\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6b01684368ec4b5a628d05bc", "plain", "1795254331014-000-abc", "6B01684368EC4B5A628D05BC"})
    void idsComeBack(String text) {
        assertThat(MessageIds.text(MessageIds.value(text))).isEqualTo(text);
    }

    @Test
    void foreignIdsComeBack() {
        for (String id : new String[] {
            "5", "'6b01684368ec4b5a628d05bc'", "'{\"_id\": 5}'", "{$uuid: '00112233-4455-6677-8899-aabbccddeeff'}"
        }) {
            org.bson.BsonValue value = java.util.Objects.requireNonNull(
                    BsonDocument.parse("{_id: " + id + "}").get("_id"));
            assertThat(MessageIds.value(MessageIds.text(value))).isEqualTo(value);
        }
    }
}

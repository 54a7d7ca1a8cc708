package dev.jono.e2e.keuss;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import org.bson.BsonValue;

/** Data that keuss stored in MongoDB, converted to the same JSON as in Node. */
final class MongoFixtures {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private MongoFixtures() {}

    /** Top-level Buffers as the driver returns them; nested ones as text. */
    static JsonNode shown(BsonValue value) {
        return value.isBinary()
                ? Keuss.JSON
                        .createObjectNode()
                        .put(
                                "$buffer_base64",
                                Base64.getEncoder()
                                        .encodeToString(value.asBinary().getData()))
                : nested(value);
    }

    private static JsonNode nested(BsonValue value) {
        return switch (value.getBsonType()) {
            case DOCUMENT -> {
                ObjectNode object = Keuss.JSON.createObjectNode();
                value.asDocument().forEach((name, field) -> object.set(name, nested(field)));
                yield object;
            }
            case ARRAY -> {
                ArrayNode array = Keuss.JSON.createArrayNode();
                value.asArray().forEach(item -> array.add(nested(item)));
                yield array;
            }
            case STRING -> TextNode.valueOf(value.asString().getValue());
            case BINARY ->
                TextNode.valueOf(
                        Base64.getEncoder().encodeToString(value.asBinary().getData()));
            case DATE_TIME ->
                TextNode.valueOf(
                        ISO.format(Instant.ofEpochMilli(value.asDateTime().getValue())));
            case BOOLEAN -> Keuss.JSON.valueToTree(value.asBoolean().getValue());
            case INT32 -> Keuss.JSON.valueToTree(value.asInt32().getValue());
            case DOUBLE -> number(value.asDouble().getValue());
            default -> Keuss.JSON.nullNode();
        };
    }

    /** JavaScript treats whole numbers as integers, even in a double. */
    private static JsonNode number(double value) {
        return value == Math.rint(value) ? Keuss.JSON.valueToTree((long) value) : Keuss.JSON.valueToTree(value);
    }
}

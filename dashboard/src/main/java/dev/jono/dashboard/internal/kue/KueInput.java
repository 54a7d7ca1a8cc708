package dev.jono.dashboard.internal.kue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.dashboard.internal.http.ProblemException;
import java.util.regex.Pattern;

/** Translates a job that a client of Kue creates into the fields of Jono's REST API. */
final class KueInput {
    private static final int MAX_TAGS = 20;
    private static final Pattern TAG = Pattern.compile("[^,\\p{Cntrl}]{1,100}");
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

    private KueInput() {}

    /** Whether a type can have this name. */
    static boolean isType(String name) {
        return TYPE.matcher(name).matches();
    }

    /**
     * The fields that both have.
     *
     * @param data the payload; if it is missing, an empty object
     * @param delay milliseconds, as a number or a text; others are ignored, as Kue does
     */
    static ObjectNode fields(String type, JsonNode data, JsonNode delay) {
        if (!isType(type)) {
            throw ProblemException.bad(
                    "the name of a type has 1 to 100 letters, digits, '_', '.' or '-': '" + type + "'");
        }
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.put("type", type);
        fields.set("payload", data.isMissingNode() || data.isNull() ? JsonNodeFactory.instance.objectNode() : data);
        double millis = delay.asDouble(0); // of a text too
        if (millis >= 1) {
            fields.put("delay", (long) Math.min(millis, 1e12 - 1) + "ms");
        }
        return fields;
    }

    /** Adds the values of some fields of the data as tags, as far as they can be tags. */
    static void addTags(ObjectNode fields, JsonNode data, JsonNode searchKeys) {
        ArrayNode tags = fields.putArray("tags");
        for (JsonNode key : searchKeys.isArray()
                ? searchKeys
                : JsonNodeFactory.instance.arrayNode().add(searchKeys)) {
            JsonNode value = data;
            for (String part : key.asText().split("\\.", -1)) {
                value = value.path(part);
            }
            if (value.isValueNode() && TAG.matcher(value.asText()).matches() && tags.size() < MAX_TAGS) {
                tags.add(value.asText());
            }
        }
    }
}

package dev.jono.support.mongo;

import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonParseException;
import org.bson.json.JsonWriterSettings;
import org.bson.types.ObjectId;

/**
 * Converts message ids between text and BSON. The text of an ObjectId is its 24 hex digits, and a string is its own
 * text. Documents of other programs may have other types; their text is JSON such as <code>{"_id": {"$numberInt":
 * "5"}}</code>. Stateless.
 */
public final class MessageIds {
    private static final JsonWriterSettings EXTENDED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private MessageIds() {}

    /** A new id. It sorts after all ids that this process created before. */
    public static BsonObjectId fresh() {
        return new BsonObjectId(new ObjectId());
    }

    /** The text of an id. */
    public static String text(BsonValue id) {
        if (id.isObjectId()) {
            return id.asObjectId().getValue().toHexString();
        }
        if (id.isString()) {
            String text = id.asString().getValue();
            if (!text.isEmpty() && !text.startsWith("{") && !hex(text)) {
                return text;
            }
        }
        return new BsonDocument("_id", id).toJson(EXTENDED);
    }

    /** The BSON value of a text. */
    public static BsonValue value(String text) {
        if (hex(text)) {
            return new BsonObjectId(new ObjectId(text));
        }
        if (text.startsWith("{")) {
            try {
                BsonDocument wrapped = BsonDocument.parse(text);
                BsonValue id = wrapped.get("_id");
                if (id != null && wrapped.size() == 1) {
                    return id;
                }
            } catch (JsonParseException notJson) {
                // an id that begins with a brace
            }
        }
        return new BsonString(text);
    }

    /** Whether a text is an ObjectId as {@link ObjectId#toHexString} writes it, in lower case. */
    private static boolean hex(String text) {
        if (text.length() != 24) {
            return false;
        }
        for (int i = 0; i < 24; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}

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
 * Ids as texts and as BSON. An ObjectId is its 24 hex digits, a string is itself; what else a foreign document may have is
 * a text such as <code>{"_id": {"$numberInt": "5"}}</code>.
 */
public final class MessageIds {
    private static final JsonWriterSettings EXTENDED =
            JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();

    private MessageIds() {}

    /** A new one, which sorts behind those made before in this process. */
    public static BsonObjectId fresh() {
        return new BsonObjectId(new ObjectId());
    }

    /** As Jono shows it. */
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

    /** As MongoDB has it. */
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
            } catch (JsonParseException other) {
                // a string that begins so
            }
        }
        return new BsonString(text);
    }

    /** As {@link ObjectId#toHexString} writes them: lower case. */
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

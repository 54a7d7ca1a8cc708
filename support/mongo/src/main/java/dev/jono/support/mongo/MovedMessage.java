package dev.jono.support.mongo;

import dev.jono.Headers;
import dev.jono.spi.MoveItem;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;

/** Changes the payload and the headers of a stored message as its move says. Stateless. */
public final class MovedMessage {
    /** The fields of {@link PayloadWriter#marks}. A new payload replaces them. */
    public static final List<String> PAYLOAD_MARKS = List.of("kind", "json");

    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private MovedMessage() {}

    /**
     * Applies the changes.
     *
     * @param message the stored fields of the message
     * @param headersField the name of the field that holds its headers
     * @param payload the fields of the new payload; empty if the message keeps its payload
     */
    public static void change(BsonDocument message, String headersField, MoveItem item, BsonDocument payload) {
        if (!payload.isEmpty()) {
            PAYLOAD_MARKS.forEach(message::remove);
            message.putAll(payload);
        }
        dropHeaders(message, headersField, item.dropHeaders());
        message.getDocument(headersField).putAll(headers(item.addHeaders()));
    }

    /**
     * Removes headers. If the message has no headers, or something else instead, it has empty headers then.
     *
     * @param message the stored fields of the message
     * @param headersField the name of the field that holds its headers
     */
    public static void dropHeaders(BsonDocument message, String headersField, Set<String> names) {
        BsonValue stored = message.get(headersField);
        BsonDocument headers = stored != null && stored.isDocument() ? stored.asDocument() : new BsonDocument();
        names.forEach(headers::remove);
        message.put(headersField, headers);
    }

    /** Headers as they are stored. */
    public static BsonDocument headers(Headers headers) {
        PayloadWriter to = new PayloadWriter(128);
        to.writer().writeStartDocument();
        to.headers("headers", headers);
        to.writer().writeEndDocument();
        return to.document().decode(DOCUMENTS).getDocument("headers");
    }
}

package dev.jono.backend.mongo;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.Headers;
import dev.jono.support.mongo.MessageRefusals;
import dev.jono.support.mongo.PayloadWriter;
import org.bson.BsonBinaryWriter;
import org.bson.BsonObjectId;
import org.bson.BsonSerializationException;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A message that is to be stored as a document.
 *
 * @param matureMillis the value of {@link Fields#MATURE}; a keyed queue gets it with the place of the message
 * @param exactDueMillis the value of {@link Fields#EXACT_DUE}; null for none
 * @param isNew whether nobody can have held the message
 */
record NewDocument(
        BsonValue id,
        long matureMillis,
        @Nullable Long exactDueMillis,
        EncodedPayload payload,
        Headers headers,
        int tries,
        boolean isNew) {

    /**
     * Writes the document, with the fields in the order of keuss.
     *
     * @param givenId the id for error messages; null if the caller does not know it
     * @throws EncodingException if MongoDB cannot store the message
     */
    RawBsonDocument write(QueueCollection queue, @Nullable String givenId) {
        PayloadWriter to = new PayloadWriter(payload.size() + 160);
        try {
            writeFields(to, queue.layout);
        } catch (BsonSerializationException notStorable) {
            throw MessageRefusals.notStorable("push", queue.queueName, givenId, notStorable.getMessage());
        }
        DocumentLimit.require("push", queue.queueName, givenId, to.size());
        return to.document();
    }

    private void writeFields(PayloadWriter to, Layouts.Layout layout) {
        String queueField = layout.queueField();
        BsonBinaryWriter writer = to.writer();
        writer.writeStartDocument();
        if (id instanceof BsonObjectId objectId) {
            writer.writeObjectId(Fields.ID, objectId.getValue());
        } else {
            to.value(Fields.ID, id);
        }
        if (layout.maxPerKey() == 0) {
            writer.writeDateTime(Fields.MATURE, matureMillis);
        }
        to.payload(Fields.PAYLOAD, payload);
        writer.writeInt32(Fields.TRIES, tries);
        to.headers(Fields.HEADERS, headers);
        if (queueField != null) {
            writer.writeString(Fields.QUEUE, queueField);
        }
        if (layout.maxPerKey() > 0) {
            writer.writeInt32(Fields.KEYED, layout.maxPerKey());
        }
        if (!isNew) {
            writer.writeInt64(Fields.RELEASED_BY, Fields.NO_CALL.getValue());
        }
        if (exactDueMillis != null) {
            writer.writeDateTime(Fields.EXACT_DUE, exactDueMillis);
        }
        to.marks();
        writer.writeEndDocument();
    }
}

package dev.jono.backend.mongo;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A message that a transaction stores.
 *
 * @param id the {@code _id}
 * @param document the document; for a keyed queue without its due time and its place in the order of its key
 * @param key the ordering key, or null
 * @param fresh whether the id is new, so that no other document has it
 */
record IncomingMessage(
        BsonValue id, RawBsonDocument document, @Nullable String key, long dueMillis, boolean fresh) {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();
    private static final int LENGTH_BYTES = 4;

    IncomingMessage {
        key = key == null || key.isEmpty() ? null : key;
    }

    /** The document with more fields, which it does not have yet. */
    RawBsonDocument with(BsonDocument fields) {
        byte[] more = bytes(new RawBsonDocument(fields, DOCUMENTS));
        byte[] own = bytes(document);
        byte[] all = new byte[own.length + more.length - LENGTH_BYTES - 1];
        System.arraycopy(own, 0, all, 0, own.length - 1);
        System.arraycopy(more, LENGTH_BYTES, all, own.length - 1, more.length - LENGTH_BYTES);
        for (int i = 0; i < LENGTH_BYTES; i++) {
            all[i] = (byte) (all.length >>> (Byte.SIZE * i));
        }
        return new RawBsonDocument(all);
    }

    private static byte[] bytes(RawBsonDocument document) {
        byte[] bytes = new byte[document.getByteBuffer().remaining()];
        document.getByteBuffer().get(bytes);
        return bytes;
    }
}

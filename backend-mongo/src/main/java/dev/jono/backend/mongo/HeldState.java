package dev.jono.backend.mongo;

import org.bson.BsonDocument;

/** Tells whether a consumer holds a message, by its document and the server's clock. Stateless. */
final class HeldState {
    private HeldState() {}

    /** The fields that a query must return. */
    static BsonDocument fields(Layouts.Layout layout) {
        return Fields.doc(Fields.RESERVED, Fields.ONE)
                .append(layout.dueField(), Fields.ONE)
                .append(StoredDocument.NOW, Fields.NOW);
    }

    /** Whether a lease has not ended. */
    static boolean isHeld(BsonDocument document, Layouts.Layout layout) {
        return document.containsKey(Fields.RESERVED)
                && Fields.millis(document, layout.dueField()) > Fields.millis(document, StoredDocument.NOW);
    }
}

package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.MessageIds;
import org.bson.BsonValue;

/** The id of a bucket: any BSON value, equal by its text. Immutable. */
final class BucketId {
    private final BsonValue value;
    private final String text;

    BucketId(BsonValue value) {
        this.value = value;
        this.text = MessageIds.text(value);
    }

    BsonValue value() {
        return value;
    }

    /** The id of the message that was pushed into a slot of this bucket. */
    String messageId(int slot) {
        return text + ':' + slot;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BucketId id && id.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The text that message ids begin with. */
    @Override
    public String toString() {
        return text;
    }
}

package dev.jono.backend.bucketmongo;

import org.bson.AbstractBsonReader;
import org.bson.BsonBinaryReader;
import org.bson.BsonReader;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.RawBsonDocumentCodec;
import org.bson.io.BsonInput;
import org.bson.io.BsonInputMark;

/**
 * Reads documents as bytes, with one copy. The driver's codec grows a buffer instead, and that would take most of the time of
 * reading a bucket. Stateless.
 */
final class WholeDocumentCodec implements Codec<RawBsonDocument> {
    private static final RawBsonDocumentCodec DRIVERS = new RawBsonDocumentCodec();

    @Override
    public RawBsonDocument decode(BsonReader reader, DecoderContext context) {
        if (reader instanceof BsonBinaryReader binary && binary.getState() == AbstractBsonReader.State.VALUE) {
            BsonInput input = binary.getBsonInput();
            BsonInputMark start = input.getMark(Integer.MAX_VALUE);
            int size = input.readInt32();
            start.reset();
            byte[] bytes = new byte[size];
            input.readBytes(bytes);
            start.reset();
            reader.skipValue();
            return new RawBsonDocument(bytes);
        }
        return DRIVERS.decode(reader, context);
    }

    @Override
    public void encode(BsonWriter writer, RawBsonDocument document, EncoderContext context) {
        DRIVERS.encode(writer, document, context);
    }

    @Override
    public Class<RawBsonDocument> getEncoderClass() {
        return RawBsonDocument.class;
    }
}

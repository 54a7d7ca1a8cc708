package dev.jono.jobs.internal;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;

/** Encodes the data that a handler reports with its progress. */
final class ProgressData {
    private static final int MAX_BYTES = 4096;

    private ProgressData() {}

    /**
     * The data as JSON.
     *
     * @throws IllegalArgumentException if it cannot be encoded, or is too large
     */
    static String json(Codec<Object> codec, JobId id, Object data) {
        EncodedPayload encoded;
        try {
            encoded = codec.encode(data, Headers.empty());
        } catch (Exception e) {
            throw new IllegalArgumentException("the data of the progress of job " + id + " cannot be encoded", e);
        }
        if (encoded.size() > MAX_BYTES) {
            throw new IllegalArgumentException("the data of the progress of job " + id + " has " + encoded.size()
                    + " bytes; the maximum is " + MAX_BYTES);
        }
        return JobDocument.json(encoded);
    }
}

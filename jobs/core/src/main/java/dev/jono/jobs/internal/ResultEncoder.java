package dev.jono.jobs.internal;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import org.jspecify.annotations.Nullable;

/** Encodes results of jobs, and refuses those that cannot be stored. Thread-safe. */
final class ResultEncoder<R> {
    private static final int MAX_BYTES = 64 * 1024;

    private final Codec<R> codec;

    ResultEncoder(Codec<R> codec) {
        this.codec = codec;
    }

    @Nullable EncodedPayload encode(@Nullable R result) throws Exception {
        if (result == null) {
            return null;
        }
        EncodedPayload encoded = codec.encode(result, Headers.empty());
        if (encoded.size() > MAX_BYTES) {
            throw new GiveUpException("the result has " + encoded.size() + " bytes; the maximum is " + MAX_BYTES
                    + ": store it elsewhere, and return its place");
        }
        return JobDocument.checkResult(encoded);
    }
}

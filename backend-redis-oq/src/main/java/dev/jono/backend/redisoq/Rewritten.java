package dev.jono.backend.redisoq;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.support.redis.Envelope;

/**
 * A message as it is stored in another queue: its encoded fields, and its ordering key. Immutable.
 *
 * @param key empty if there is none
 */
record Rewritten(Envelope.Body body, String key) {
    static Rewritten of(String id, EncodedPayload payload, Headers headers, int tries) {
        String key = headers.string(Headers.KEY);
        return new Rewritten(Envelope.write(id, payload, headers, tries), key == null ? "" : key);
    }
}

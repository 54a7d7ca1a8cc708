package dev.jono.dashboard;

import dev.jono.EncodedPayload;

/**
 * Hides parts of payloads, results and logs. Called on threads of the HTTP server, also concurrently. If it throws, nothing of the
 * payload is shown.
 */
@FunctionalInterface
public interface Redaction {
    /**
     * Returns what may be shown of a payload.
     *
     * @param target the name of the queue, or of the type of the job
     * @param payload the payload or the result
     * @return the payload itself, or another one in its place
     */
    EncodedPayload redact(String target, EncodedPayload payload);

    /** Hides nothing. */
    static Redaction none() {
        return (target, payload) -> payload;
    }
}

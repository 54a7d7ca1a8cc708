package dev.jono.dashboard.internal.source;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.dashboard.Redaction;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Payloads as users may see them. Thread-safe. */
public final class Payloads {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.dashboard");
    private static final EncodedPayload HIDDEN =
            EncodedPayload.of(PayloadKind.STRING, "(hidden)".getBytes(StandardCharsets.UTF_8));

    private final Redaction redaction;

    public Payloads(Redaction redaction) {
        this.redaction = redaction;
    }

    /** What may be shown of a payload of a queue or of a type of jobs. */
    public EncodedPayload redact(String target, EncodedPayload payload) {
        try {
            return redaction.redact(target, payload);
        } catch (RuntimeException e) {
            LOG.warn("the redaction failed on a payload of '{}'; nothing of it is shown", target, e);
            return HIDDEN;
        }
    }

    PayloadView view(String target, EncodedPayload payload) {
        return PayloadView.of(redact(target, payload));
    }

    /** A text, such as an error or a line of a log, as a user may see it. */
    public String text(String target, String text) {
        return redact(target, EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8)))
                .text();
    }
}

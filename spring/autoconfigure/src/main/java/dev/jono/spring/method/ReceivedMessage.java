package dev.jono.spring.method;

import java.util.Map;
import org.springframework.messaging.support.GenericMessage;

/**
 * A message for the arguments of a method. Exceptions of Spring contain the text of the message that they concern, and get into logs and
 * dead letters; so the text has neither the payload nor the headers, which can be personal data.
 */
final class ReceivedMessage extends GenericMessage<Object> {
    private static final long serialVersionUID = 1L;

    ReceivedMessage(Object payload, Map<String, Object> headers) {
        super(payload, new ExactHeaders(headers));
    }

    @Override
    public String toString() {
        return "a message with a payload of " + getPayload().getClass().getName();
    }
}

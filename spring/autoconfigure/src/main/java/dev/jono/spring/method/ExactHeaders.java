package dev.jono.spring.method;

import java.util.Map;
import org.springframework.messaging.MessageHeaders;

/** Headers without those that Spring generates: they would hide headers of the application with the names {@code id} and {@code timestamp}. */
final class ExactHeaders extends MessageHeaders {
    private static final long serialVersionUID = 1L;
    private static final long NO_TIMESTAMP = -1L;

    ExactHeaders(Map<String, Object> headers) {
        super(null, ID_VALUE_NONE, NO_TIMESTAMP);
        getRawHeaders().putAll(headers);
    }
}

package dev.jono.spring.method;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/** Says why a payload is not valid. The text has no values of the payload: it gets into logs and dead letters. */
public final class InvalidPayload {
    private InvalidPayload() {}

    /**
     * The fields that are not valid, and why.
     *
     * @param errors null if they are not known
     */
    public static String text(@Nullable Errors errors) {
        return errors == null
                ? "the payload is not valid"
                : errors.getAllErrors().stream()
                        .map(InvalidPayload::text)
                        .collect(Collectors.joining("; ", "the payload is not valid: ", ""));
    }

    private static String text(ObjectError error) {
        String reason = error.getDefaultMessage() != null ? error.getDefaultMessage() : error.getCode();
        return (error instanceof FieldError field ? field.getField() : error.getObjectName()) + " " + reason;
    }
}

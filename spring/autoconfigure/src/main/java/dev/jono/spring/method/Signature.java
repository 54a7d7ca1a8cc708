package dev.jono.spring.method;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Lease;
import dev.jono.Message;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * What a method takes: the type of the payload, and whether it takes batches.
 *
 * @param payload the type of the payload; {@link EncodedPayload} if no parameter says it
 * @param batch whether it takes a list
 * @param ofMessages whether the elements of the list are messages, reservations or jobs, not payloads
 * @param validated whether the payload is to be checked
 */
public record Signature(Type payload, boolean batch, boolean ofMessages, boolean validated) {
    /**
     * Reads the parameters of a method.
     *
     * @param contexts further types of parameters that are not the payload
     * @throws IllegalStateException if they do not fit together
     */
    public static Signature of(AnnotatedMethod annotated, List<Class<?>> contexts) {
        return of(annotated, contexts, Message.class);
    }

    /**
     * Reads the parameters of a method.
     *
     * @param wrapper a type of elements of a batch whose first type argument is the payload
     */
    public static Signature of(AnnotatedMethod annotated, List<Class<?>> contexts, Class<?> wrapper) {
        Reader reader = new Reader(annotated, contexts, wrapper);
        Method method = annotated.declared();
        for (int i = 0; i < method.getParameterCount(); i++) {
            reader.read(new MethodParameter(method, i).withContainingClass(annotated.targetClass()));
        }
        return reader.signature();
    }

    /** Whether one of the parameters is the payload. */
    public boolean hasPayload() {
        return payload != EncodedPayload.class;
    }

    private static final class Reader {
        private final AnnotatedMethod method;
        private final List<Class<?>> contexts;
        private final Class<?> wrapper;
        private @Nullable ResolvableType payload;
        /** The type argument of a message, which tells the type if there is no payload. */
        private @Nullable ResolvableType ofMessage;

        private boolean batch;
        private boolean ofMessages;
        private boolean validated;

        Reader(AnnotatedMethod method, List<Class<?>> contexts, Class<?> wrapper) {
            this.method = method;
            this.contexts = contexts;
            this.wrapper = wrapper;
        }

        void read(MethodParameter parameter) {
            ResolvableType type = ResolvableType.forMethodParameter(parameter);
            Class<?> raw = type.toClass();
            if (isHeader(parameter, raw) || contexts.contains(raw)) {
                return;
            }
            if (isMessage(raw)) {
                ofMessage = type.getGeneric(0);
            } else if (raw == List.class) {
                readList(type.getGeneric(0));
                validated |= isValidated(parameter);
            } else {
                setPayload(type);
                validated |= isValidated(parameter);
            }
        }

        private void readList(ResolvableType element) {
            batch = true;
            ofMessages = isMessage(element.toClass()) || element.toClass() == wrapper;
            setPayload(ofMessages ? element.getGeneric(0) : element);
        }

        private void setPayload(ResolvableType type) {
            if (payload != null) {
                throw new IllegalStateException(method + ": the method has two parameters for the payload, " + payload
                        + " and " + type + "; headers need @Header");
            }
            payload = type;
        }

        private static boolean isHeader(MethodParameter parameter, Class<?> raw) {
            return parameter.hasParameterAnnotation(Header.class)
                    || parameter.hasParameterAnnotation(org.springframework.messaging.handler.annotation.Headers.class)
                    || raw == Headers.class
                    || raw == Lease.class
                    || MessageHeaders.class.isAssignableFrom(raw)
                    || MessageHeaderAccessor.class.isAssignableFrom(raw);
        }

        private static boolean isMessage(Class<?> raw) {
            return Message.class.isAssignableFrom(raw)
                    || org.springframework.messaging.Message.class.isAssignableFrom(raw);
        }

        private static boolean isValidated(MethodParameter parameter) {
            for (Annotation annotation : parameter.getParameterAnnotations()) {
                if (ValidationAnnotationUtils.determineValidationHints(annotation) != null) {
                    return true;
                }
            }
            return false;
        }

        Signature signature() {
            if (batch && method.declared().getParameterCount() > 1) {
                throw new IllegalStateException(
                        method + ": a list must be the only parameter; headers are those of its" + " reservations");
            }
            ResolvableType found = payload != null ? payload : ofMessage;
            Type type = found == null || found.resolve() == null ? EncodedPayload.class : found.getType();
            return new Signature(type, batch, ofMessages, validated);
        }
    }
}

package dev.jono.spring.method;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Lease;
import dev.jono.Message;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.support.MessageHeaderAccessor;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * What a method takes: the type of the payload, and whether it takes batches.
 *
 * @param payload the type of the payload; {@link EncodedPayload} if no parameter says it
 * @param batch whether it takes the payloads of several messages as a list
 * @param ofMessages whether the elements of the list are messages, reservations or jobs, not payloads
 * @param validated whether the payload is to be checked
 */
public record Signature(Type payload, boolean batch, boolean ofMessages, boolean validated) {
    /** The value of an attribute {@code batch} with which a list is the payload of one message. */
    public static final String NO_BATCH = "false";

    /**
     * Reads the parameters of a listener.
     *
     * @param batch the value of the attribute {@code batch}; null if it is not set
     * @throws DeclarationException if the parameters do not fit together
     */
    public static Signature of(AnnotatedMethod annotated, @Nullable String batch) {
        return of(annotated, batch, List.of(), Message.class);
    }

    /**
     * Reads the parameters of a method.
     *
     * @param batch the value of the attribute {@code batch}; null if it is not set
     * @param contexts further types of parameters that are not the payload
     * @param wrapper a type of elements of a batch whose first type argument is the payload
     * @throws DeclarationException if the parameters do not fit together
     */
    public static Signature of(
            AnnotatedMethod annotated, @Nullable String batch, List<Class<?>> contexts, Class<?> wrapper) {
        Reader reader = new Reader(annotated, batch, contexts, wrapper);
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

    /**
     * The maximum number of messages or jobs in a batch; null if it is not set.
     *
     * @param value the attribute {@code batch}
     * @throws DeclarationException if it is no number, or the method takes no batch
     */
    public @Nullable Integer batchSize(AnnotatedMethod method, AttributeReader read, String value) {
        if (NO_BATCH.equals(read.text("batch", value))) {
            return null;
        }
        Integer size = read.integer("batch", value, 1);
        if (size != null && !batch) {
            throw method.mistake(
                    "batch is set, but the method takes no list", "Take a java.util.List, or remove the attribute.");
        }
        return size;
    }

    private static final class Reader {
        private final AnnotatedMethod method;
        private final @Nullable String batchAttribute;
        private final List<Class<?>> contexts;
        private final Class<?> wrapper;
        private @Nullable ResolvableType payload;
        /** The type argument of a message, which tells the type if there is no payload. */
        private @Nullable ResolvableType ofMessage;

        private boolean batch;
        private boolean ofMessages;
        private boolean validated;

        Reader(AnnotatedMethod method, @Nullable String batchAttribute, List<Class<?>> contexts, Class<?> wrapper) {
            this.method = method;
            this.batchAttribute = batchAttribute;
            this.contexts = contexts;
            this.wrapper = wrapper;
        }

        void read(MethodParameter parameter) {
            ResolvableType type = ResolvableType.forMethodParameter(parameter);
            Class<?> raw = type.toClass();
            if (isHeader(parameter, raw) || contexts.contains(raw)) {
                return;
            }
            boolean inside = isValidatedInside(parameter.getParameter().getAnnotatedType());
            if (isMessage(raw)) {
                refuseValidation(type, inside || isValidated(parameter.getParameterAnnotations()));
                ofMessage = type.getGeneric(0);
            } else if (raw == List.class && !NO_BATCH.equals(batchAttribute)) {
                readList(parameter, type.getGeneric(0));
                validated = inside || isValidated(parameter.getParameterAnnotations());
            } else {
                setPayload(type);
                validated = isValidated(parameter.getParameterAnnotations());
                refuseValidation(type, inside || (validated && isContainer(raw)));
            }
        }

        private void refuseValidation(ResolvableType type, boolean refused) {
            if (refused) {
                throw method.mistake(
                        "@Valid would not check the payloads in " + type,
                        "Declare the payload as a parameter of its own class, with @Valid, or check it in the method.");
            }
        }

        private void readList(MethodParameter parameter, ResolvableType element) {
            if (parameter.hasParameterAnnotation(Payload.class) && batchAttribute == null) {
                throw method.mistake(
                        "a list with @Payload can be a batch, or the payload of one message",
                        "Set batch = \"false\" if the payload of each message is a list. For a batch, remove @Payload, or"
                                + " set batch to its maximum size.");
            }
            batch = true;
            ofMessages = isMessage(element.toClass()) || element.toClass() == wrapper;
            setPayload(ofMessages ? element.getGeneric(0) : element);
        }

        private void setPayload(ResolvableType type) {
            if (payload != null) {
                throw method.mistake(
                        "the method has two parameters for the payload, " + payload + " and " + type,
                        "A header needs @Header.");
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

        private static boolean isContainer(Class<?> raw) {
            return raw.isArray() || Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw);
        }

        private static boolean isValidated(Annotation[] annotations) {
            return Arrays.stream(annotations)
                    .anyMatch(annotation -> ValidationAnnotationUtils.determineValidationHints(annotation) != null);
        }

        /** Whether a type argument has such an annotation, as in {@code List<@Valid Order>}. */
        private static boolean isValidatedInside(AnnotatedType type) {
            return type instanceof AnnotatedParameterizedType parameterized
                    && Arrays.stream(parameterized.getAnnotatedActualTypeArguments())
                            .anyMatch(
                                    argument -> isValidated(argument.getAnnotations()) || isValidatedInside(argument));
        }

        Signature signature() {
            if (batch && method.declared().getParameterCount() > 1) {
                throw method.mistake(
                        "a list must be the only parameter",
                        "Take a list of reservations, which have the headers. If the list is the payload of one message,"
                                + " set batch = \"false\".");
            }
            ResolvableType found = payload != null ? payload : ofMessage;
            Type type = found == null || found.resolve() == null ? EncodedPayload.class : found.getType();
            return new Signature(type, batch, ofMessages, validated);
        }
    }
}

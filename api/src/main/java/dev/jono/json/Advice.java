package dev.jono.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** Advice for error messages: how to change a type that Jackson cannot read. */
final class Advice {
    private static final String FOUND = ", and build the factory with codecs(JsonCodecs.withFoundModules())";

    private Advice() {}

    /** Returns a text to append to the message of a failure; empty if the type is not its cause. */
    static String on(JsonProcessingException failure) {
        JavaType type = failure instanceof InvalidDefinitionException definition ? definition.getType() : null;
        if (type == null) {
            return "";
        }
        return "; " + forType(type.getRawClass())
                + ". Where no process reads with this type, use a codec of JsonCodecs.writeOnly()";
    }

    private static String forType(Class<?> type) {
        if (isKotlin(type)) {
            return "for Kotlin's classes add com.fasterxml.jackson.module:jackson-module-kotlin" + FOUND;
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return "annotate it with @JsonTypeInfo and @JsonSubTypes, or open the queue with a concrete type";
        }
        return "give it a constructor without arguments, or annotate one with @JsonCreator and its arguments with"
                + " @JsonProperty; or compile it with -parameters, add"
                + " com.fasterxml.jackson.module:jackson-module-parameter-names" + FOUND;
    }

    private static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(annotation -> annotation.getName().equals("kotlin.Metadata"));
    }
}

package dev.jono.spring.method;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.convert.DurationStyle;

/** Reads the attributes of an annotation: text with placeholders and expressions. An empty text means that it is not set. */
public final class AttributeReader {
    private final AnnotatedMethod method;
    private final @Nullable EmbeddedValueResolver resolver;

    /** A reader for the annotation of a method, which messages name. */
    public AttributeReader(BeanFactory beans, AnnotatedMethod method) {
        this.method = method;
        this.resolver =
                beans instanceof ConfigurableBeanFactory configurable ? new EmbeddedValueResolver(configurable) : null;
    }

    /** The text, resolved and without white space around it; null if it is empty. */
    public @Nullable String text(String value) {
        String resolved = resolver == null ? value : resolver.resolveStringValue(value);
        return resolved == null || resolved.isBlank() ? null : resolved.strip();
    }

    /** Texts, each of which can be several with commas between them. */
    public List<String> texts(String[] values) {
        return Arrays.stream(values)
                .map(this::text)
                .filter(Objects::nonNull)
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** A number; null if it is not set. */
    public @Nullable Integer integer(String attribute, String value) {
        return parsed(attribute, value, Integer::valueOf, "a number");
    }

    /** A duration such as {@code 30s} or {@code PT30S}; null if it is not set. */
    public @Nullable Duration duration(String attribute, String value) {
        return parsed(attribute, value, DurationStyle::detectAndParse, "a duration such as 30s");
    }

    /** True or false; null if it is not set. */
    public @Nullable Boolean bool(String attribute, String value) {
        return parsed(attribute, value, AttributeReader::parseBoolean, "true or false");
    }

    private static Boolean parseBoolean(String text) {
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return Boolean.valueOf(text);
    }

    private <V> @Nullable V parsed(String attribute, String value, Function<String, V> parser, String expected) {
        String text = text(value);
        if (text == null) {
            return null;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException refused) {
            throw new IllegalStateException(
                    method + ": " + attribute + " is '" + text + "', expected " + expected, refused);
        }
    }
}

package dev.jono.spring.method;

import dev.jono.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.convert.DurationStyle;

/**
 * Reads the attributes of an annotation: text with placeholders and expressions. An empty text means that it is not set. A value that is not
 * allowed is a {@link DeclarationException} with the method, the attribute and the value.
 */
public final class AttributeReader {
    private final BeanFactory beans;
    private final AnnotatedMethod method;
    private final @Nullable EmbeddedValueResolver resolver;

    /** A reader for the annotation of a method, which messages name. */
    public AttributeReader(BeanFactory beans, AnnotatedMethod method) {
        this.beans = beans;
        this.method = method;
        this.resolver =
                beans instanceof ConfigurableBeanFactory configurable ? new EmbeddedValueResolver(configurable) : null;
    }

    /** The text, resolved and without white space around it; null if it is empty. */
    public @Nullable String text(String attribute, String value) {
        String resolved = resolver == null ? value : resolved(attribute, value, resolver);
        return resolved == null || resolved.isBlank() ? null : resolved.strip();
    }

    private @Nullable String resolved(String attribute, String value, EmbeddedValueResolver from) {
        try {
            return from.resolveStringValue(value);
        } catch (IllegalArgumentException | BeansException refused) {
            throw method.mistake(
                    attribute + " is '" + value + "', which cannot be resolved: " + refused.getMessage(),
                    "Define the property, or give a default, as in ${shop.queue:orders}.",
                    refused);
        }
    }

    /** Texts, each of which can be several with commas between them. */
    public List<String> texts(String attribute, String[] values) {
        return Arrays.stream(values)
                .map(value -> text(attribute, value))
                .filter(Objects::nonNull)
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** A number that is not less than {@code min}; null if it is not set. */
    public @Nullable Integer integer(String attribute, String value, int min) {
        Integer number = parsed(attribute, value, Integer::valueOf, "a number");
        if (number != null && number < min) {
            throw unexpected(attribute, String.valueOf(number), min + " or more", null);
        }
        return number;
    }

    /** A duration of at least a millisecond, such as {@code 30s} or {@code PT30S}; null if it is not set. */
    public @Nullable Duration duration(String attribute, String value) {
        Duration duration = parsed(attribute, value, DurationStyle::detectAndParse, "a duration such as 30s");
        return duration == null ? null : checked(attribute, duration, each -> Durations.positive(each, attribute));
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

    /** The name of a bean of a type; null if it is not set. */
    public @Nullable String beanName(String attribute, String value, Class<?> type) {
        String name = text(attribute, value);
        if (name != null && (!beans.containsBean(name) || !beans.isTypeMatch(name, type))) {
            throw unexpected(attribute, name, "the name of a bean of type " + type.getSimpleName(), null);
        }
        return name;
    }

    /** What {@code use} makes of the value of an attribute. If it refuses the value, the failure names the attribute. */
    public <T, V> V checked(String attribute, T value, Function<T, V> use) {
        try {
            return use.apply(value);
        } catch (IllegalArgumentException refused) {
            throw method.mistake(
                    attribute + " is '" + value + "': " + refused.getMessage(), action(attribute), refused);
        }
    }

    private <V> @Nullable V parsed(String attribute, String value, Function<String, V> parser, String expected) {
        String text = text(attribute, value);
        if (text == null) {
            return null;
        }
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException refused) {
            throw unexpected(attribute, text, expected, refused);
        }
    }

    /** The failure of an attribute that has another value than what is expected. */
    public DeclarationException unexpected(
            String attribute, String value, String expected, @Nullable RuntimeException cause) {
        return method.mistake(attribute + " is '" + value + "', expected " + expected, action(attribute), cause);
    }

    private static String action(String attribute) {
        return "Correct the attribute '" + attribute + "', or the property that it refers to.";
    }
}

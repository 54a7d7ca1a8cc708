package dev.jono.spring.autoconfigure;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * A property with a value that is not allowed, for the analysis of a failed start. It is found in all the forms that Spring Boot binds, such
 * as an environment variable.
 */
final class WrongProperty {
    /** The last parts of properties that are URLs. A URL can contain a password, and it names a module. */
    private static final List<String> URLS = List.of("url", "signaller", "stats");

    private final ConfigurationPropertyName name;
    private final String text;
    private final Iterable<ConfigurationPropertySource> sources;

    /**
     * A property.
     *
     * @param property the full name
     */
    WrongProperty(String property, Environment environment) {
        this.text = property;
        this.name = ConfigurationPropertyName.adapt(property, '.');
        this.sources = ConfigurationPropertySources.get(environment);
    }

    /** Whether the property, or a property below it, is set. An empty text is not set. */
    boolean isSet() {
        ConfigurationProperty found = find();
        if (found != null) {
            return StringUtils.hasText(found.getValue().toString());
        }
        for (ConfigurationPropertySource source : sources) {
            if (source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT) {
                return true;
            }
        }
        return false;
    }

    FailureAnalysis analysis(@Nullable String reason, Throwable cause) {
        boolean url = URLS.contains(name.getLastElement(ConfigurationPropertyName.Form.UNIFORM));
        StringBuilder description = new StringBuilder("A property has a value that is not allowed:\n");
        line(description, "Property", text);
        ConfigurationProperty found = find();
        if (found != null && !url) {
            line(description, "Value", "\"" + found.getValue() + "\"");
        }
        if (found != null && found.getOrigin() != null) {
            line(description, "Origin", found.getOrigin());
        }
        line(description, "Reason", Objects.requireNonNullElse(reason, "not allowed"));
        return new FailureAnalysis(
                description.toString(),
                "Correct the property '" + text + "'" + (url ? ", or add the module that it names." : "."),
                cause);
    }

    private @Nullable ConfigurationProperty find() {
        for (ConfigurationPropertySource source : sources) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static void line(StringBuilder description, String what, Object value) {
        description.append("\n    ").append(what).append(": ").append(value);
    }
}

package dev.jono.spring.autoconfigure;

import dev.jono.ConfigurationException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Shows what Jono says about a wrong URL, a missing module or a wrong option, and names the property that it comes from. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {
    /** What {@link ConfigurationException#queue()} is for the defaults of all queues. */
    private static final String ALL_QUEUES = "*";

    private final Environment environment;

    ConfigurationFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationException cause) {
        return properties(cause)
                .map(property -> new WrongProperty(property, environment))
                .filter(WrongProperty::isSet)
                .findFirst()
                .map(property -> property.analysis(reason(cause), cause))
                .orElseGet(() -> new FailureAnalysis(
                        "Jono is not configured correctly: " + cause.getMessage(),
                        "Correct the properties below 'jono', or the dependencies of the application.",
                        cause));
    }

    /** The properties that an option of the engine can come from. A customizer can also have set it. */
    private static Stream<String> properties(ConfigurationException cause) {
        String option = cause.option();
        String queue = cause.queue();
        if (option == null) {
            return Stream.empty();
        }
        if (queue == null) {
            return option.equals("url") ? Stream.of("jono.url", "jono.options") : Stream.of("jono." + option);
        }
        String last = option.equals("deadLetter") ? "dead-letter-queue" : option;
        if (queue.equals(ALL_QUEUES)) {
            return Stream.of("jono.queue." + last);
        }
        return Stream.of(
                option.equals("name") ? PropertyCheck.prefix(queue) : PropertyCheck.prefix(queue) + "." + last);
    }

    /** Without the name of the option, because the analysis has that of the property. */
    private static @Nullable String reason(ConfigurationException cause) {
        return Objects.requireNonNullElse(cause.getCause(), cause).getMessage();
    }
}

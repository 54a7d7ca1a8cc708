package dev.jono.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Names the property that has a wrong value. Before Spring Boot's analyzer, which finds a property only where its name is written in the same
 * form, and shows its value in any case.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationPropertyValueException> {
    private final Environment environment;

    PropertyFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, InvalidConfigurationPropertyValueException cause) {
        return cause.getName().startsWith("jono.")
                ? new WrongProperty(cause.getName(), environment).analysis(cause.getReason(), cause)
                : null;
    }
}

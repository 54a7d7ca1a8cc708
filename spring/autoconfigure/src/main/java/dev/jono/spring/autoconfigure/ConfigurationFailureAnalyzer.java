package dev.jono.spring.autoconfigure;

import dev.jono.ConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what Jono says about a wrong URL, a missing module or a wrong option. */
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationException cause) {
        return new FailureAnalysis(
                "Jono is not configured correctly: " + cause.getMessage(),
                "Correct the properties below 'jono', or the dependencies of the application.",
                cause);
    }
}

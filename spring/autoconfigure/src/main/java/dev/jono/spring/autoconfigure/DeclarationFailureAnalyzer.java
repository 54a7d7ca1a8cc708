package dev.jono.spring.autoconfigure;

import dev.jono.spring.method.DeclarationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows which method or bean is declared in a way that cannot work, and what to do. */
final class DeclarationFailureAnalyzer extends AbstractFailureAnalyzer<DeclarationException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DeclarationException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}

package dev.jono.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do if the application does not say where its queues are. */
final class StorageMissingFailureAnalyzer extends AbstractFailureAnalyzer<StorageMissingException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StorageMissingException cause) {
        String problem = String.valueOf(cause.getMessage()).replace("; " + cause.action(), "");
        return new FailureAnalysis(problem + ".", cause.action(), cause);
    }
}

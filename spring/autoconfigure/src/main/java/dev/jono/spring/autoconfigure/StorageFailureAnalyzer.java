package dev.jono.spring.autoconfigure;

import dev.jono.StorageException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to check if the storage of the queues cannot be reached at start. */
final class StorageFailureAnalyzer extends AbstractFailureAnalyzer<StorageException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StorageException cause) {
        return new FailureAnalysis(
                "Jono cannot use the storage of its queues: " + cause.getMessage(),
                "Check that the storage runs and accepts this application, and that jono.url, or the connection of the"
                        + " application that Jono uses, names it.",
                cause);
    }
}

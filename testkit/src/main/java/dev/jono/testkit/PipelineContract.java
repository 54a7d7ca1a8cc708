package dev.jono.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * Pipelines over a backend that reserves and moves. Name the subclass {@code *ContractTest}, or Surefire does not run it.
 */
@Tag("pipeline")
public abstract class PipelineContract {
    /** For subclasses. */
    protected PipelineContract() {}

    /** A fresh, empty storage location; called for each test. */
    protected abstract ContractSetup open();

    /** What each outcome does. */
    @Nested
    @DisplayName("outcomes")
    public class Outcomes extends PipelineOutcomeRules {
        Outcomes() {
            super(PipelineContract.this::open);
        }
    }

    /** Payloads that processors set, and outcomes that cannot be carried out. */
    @Nested
    @DisplayName("payloads and failures")
    public class Payloads extends PipelinePayloadRules {
        Payloads() {
            super(PipelineContract.this::open);
        }
    }

    /** Several links and workers, stops and deaths. */
    @Nested
    @DisplayName("runs")
    public class Runs extends PipelineRunRules {
        Runs() {
            super(PipelineContract.this::open);
        }
    }
}

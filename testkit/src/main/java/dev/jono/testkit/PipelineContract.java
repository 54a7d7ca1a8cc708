package dev.jono.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of pipelines, for backends that declare RESERVE and MOVE. Name the subclass {@code *ContractTest}, so
 * that Surefire runs it.
 */
@Tag("pipeline")
public abstract class PipelineContract {
    /** For subclasses. */
    protected PipelineContract() {}

    /** Returns an empty storage location. Called for each test. */
    protected abstract ContractSetup open();

    /** The effect of each outcome. */
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

    /** Several links and workers, stops and killed clients. */
    @Nested
    @DisplayName("runs")
    public class Runs extends PipelineRunRules {
        Runs() {
            super(PipelineContract.this::open);
        }
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.jono.Capability;
import dev.jono.pipeline.Pipeline;
import dev.jono.pipeline.PipelineBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of the tests of pipelines. Stops the pipelines after each test. */
abstract class PipelineCase extends ContractCase {
    private final List<Pipeline> running = new ArrayList<>();

    PipelineCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    @AfterEach
    void stopPipelines() {
        running.forEach(p -> assertThat(p.stop(Duration.ofSeconds(20))).isTrue());
    }

    @CanIgnoreReturnValue
    final Pipeline start(PipelineBuilder builder) {
        Pipeline pipeline = builder.start();
        running.add(pipeline);
        return pipeline;
    }
}

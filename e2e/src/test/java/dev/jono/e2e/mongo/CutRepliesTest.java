package dev.jono.e2e.mongo;

import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.OutcomeUnknownException;
import dev.jono.e2e.faults.CutLink;
import dev.jono.e2e.faults.CutScenarios;
import dev.jono.spi.InsertRequest;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The network to the primary is cut. The tests run in parallel, because the driver waits half a second after each cut.
 */
@Tag("fault")
@Execution(ExecutionMode.CONCURRENT)
class CutRepliesTest {
    private static MongoReplicaSet set;

    @BeforeAll
    static void start() {
        set = MongoReplicaSet.start(1);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    private static CutLink open(String backend, String options) {
        return Urls.cut(backend, set.awaitPrimary(), set::uri, options);
    }

    private static void each(String backend, Consumer<CutScenarios> scenario) {
        try (CutLink cut = open(backend, "")) {
            scenario.accept(new CutScenarios(cut, true));
            if (backend.startsWith("bucket-")) {
                scenario.accept(new CutScenarios(cut, false));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo", "bucket-mongo-safe"})
    void pushIsStoredOnceAlsoWhenItIsConsumedMeanwhile(String backend) {
        try (CutLink cut = open(backend, "")) {
            new CutScenarios(cut, true).push();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo", "bucket-mongo-safe"})
    void popFindsWhatItHadTaken(String backend) {
        each(backend, CutScenarios::pop);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void popOfOneFindsItAndLeavesTheNext(String backend) {
        each(backend, CutScenarios::popOfOne);
    }

    /** Without transaction numbers the server treats a repeated write as a new one. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo", "bucket-mongo-safe"})
    void popOfOneNeedsNoNumberedWrites(String backend) {
        try (CutLink cut = open(backend, "&retryWrites=false")) {
            new CutScenarios(cut, true).popOfOne();
        }
    }

    /** The outcome is unknown then, and the message is not stored twice. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo-safe"})
    void pushWithoutNumbersIsNeverStoredTwice(String backend) {
        try (CutLink cut = open(backend, "&retryWrites=false")) {
            cut.each("insert", () -> () -> {
                InsertRequest request = inserting(message("a"), message("b"));
                List<String> taken = new ArrayList<>();
                for (int times = 0; times < 2; times++) {
                    try {
                        got(cut.raw().store().insert(request));
                    } catch (OutcomeUnknownException untold) {
                        assertThat(untold.queue()).isNotNull();
                    }
                    taken.addAll(cut.sure().take(9));
                }
                assertThat(taken).doesNotHaveDuplicates();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void reserveFindsWhatItHadClaimed(String backend) {
        each(backend, CutScenarios::reserve);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void ackAndExtendAreDoneOnce(String backend) {
        each(backend, CutScenarios::ack);
        each(backend, CutScenarios::extend);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void returnIsDoneAndCountedOnce(String backend) {
        each(backend, CutScenarios::giveBack);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe"})
    void moveToTheDeadLettersArrivesOnce(String backend) {
        each(backend, CutScenarios::move);
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;

/** The contract tests find broken backends, and pass for a correct one. */
@Tag("twin")
@Timeout(120)
class BrokenBackendTest {
    /** The backend under test. It is static because JUnit creates the instances of the contract. */
    private static volatile UnaryOperator<Backend> broken = UnaryOperator.identity();

    /** The contract of queues, with the broken backend. Only this test runs it, so its name does not end in Test. */
    static class BrokenQueueKit extends QueueContract {
        @Override
        protected ContractSetup open() {
            return MemorySetup.fresh().wrapped(broken).build();
        }
    }

    /** The contract of the SPI, with the broken backend. */
    static class BrokenStoreKit extends StoreContract {
        @Override
        protected ContractSetup open() {
            return MemorySetup.fresh().wrapped(broken).build();
        }
    }

    private static final Map<String, UnaryOperator<Backend>> BACKENDS = Map.ofEntries(
            Map.entry("losesOnCrash", BrokenBackends::losesOnCrash),
            Map.entry("deliversTwice", BrokenBackends::deliversTwice),
            Map.entry("doesNotFence", BrokenBackends::doesNotFence),
            Map.entry("forgetsDelayedMessages", BrokenBackends::forgetsDelayedMessages),
            Map.entry("isEarly", BrokenBackends::isEarly),
            Map.entry("liesInItsAck", BrokenBackends::liesInItsAck),
            Map.entry("forgetsTokens", BrokenBackends::forgetsTokens),
            Map.entry("movesAsNew", BrokenBackends::movesAsNew),
            Map.entry("forgetsUncountedDeliveries", BrokenBackends::forgetsUncountedDeliveries),
            Map.entry(
                    "cannotBrowse",
                    backend -> new Faults().hide(Capability.BROWSE).over(backend)),
            Map.entry("letsRetriesBeOvertaken", BrokenKeys::letsRetriesBeOvertaken),
            Map.entry("forgetsToPromote", BrokenKeys::forgetsToPromote),
            Map.entry("createsTargetsWithoutKeys", BrokenKeys::createsTargetsWithoutKeys),
            Map.entry("unbroken", BrokenBackends::unbroken));

    /** Runs one test of a row of the contract, and returns its results, one per invocation. */
    private static List<TestExecutionResult.Status> run(
            String backend, Class<?> kit, Class<?> contract, String row, String test) throws ClassNotFoundException {
        UnaryOperator<Backend> chosen = BACKENDS.get(backend);
        assertThat(chosen).as(backend).isNotNull();
        broken = chosen;
        return ContractRun.results(kit, contract, row, test);
    }

    @ParameterizedTest(name = "{0} fails {1}.{2}")
    @CsvSource({
        "losesOnCrash, Stored, nothingIsLostWhenTheClientThatPushedIsClosed",
        "deliversTwice, Once, reservedMessageIsNobodyElses",
        "doesNotFence, Fenced, staleStepIsRefusedAndTheNewHolderUntouched",
        "forgetsDelayedMessages, Schedule, delayedMessageIsNeverEarlyAndWakesAWaitingConsumerWithoutPolling",
        "isEarly, Schedule, delayedMessageIsNeverEarlyAndWakesAWaitingConsumerWithoutPolling",
        "liesInItsAck, Once, ackedMessageNeverComesBack",
        "forgetsTokens, UnknownOutcome, pushWhoseReplyIsLostIsStoredOnce",
        "letsRetriesBeOvertaken, OrderPerKey, retriedMessageKeepsItsPlaceAndItsKeyWaits",
        "letsRetriesBeOvertaken, OrderPerKeyWork, competingWorkersKeepTheOrderOfEachKey",
        "createsTargetsWithoutKeys, OrderPerKey, moveMakesAnUnusedTargetKeyed",
        "forgetsToPromote, OrderPerKey, messagesOfAKeyAreHandedOutOneAtATimeInTheOrderOfInsertion"
    })
    void brokenPromiseIsFoundByItsTest(String backend, String row, String test) throws ClassNotFoundException {
        assertThat(run(backend, BrokenQueueKit.class, QueueContract.class, row, test))
                .contains(TestExecutionResult.Status.FAILED);
        assertThat(run("unbroken", BrokenQueueKit.class, QueueContract.class, row, test))
                .containsOnly(TestExecutionResult.Status.SUCCESSFUL);
    }

    @ParameterizedTest(name = "{0} fails {1}.{2}")
    @CsvSource({
        "deliversTwice, Claiming, claimLeasesToTheCallerAlone",
        "doesNotFence, Settling, staleReceiptIsRefusedAndTheNewHolderUntouched",
        "forgetsDelayedMessages, Taking, nothingIsTakenBeforeItIsDue",
        "isEarly, Taking, nothingIsTakenBeforeItIsDue",
        "liesInItsAck, Settling, ackedMessageIsConsumed",
        "forgetsTokens, Repeating, repeatedInsertIsStoredOnceEvenIfTheFirstCopyIsConsumed",
        "movesAsNew, Editing, retriedMessageKeepsItsTriesAndItsDueTime",
        "forgetsUncountedDeliveries, First, messageThatWasGivenBackWasDelivered"
    })
    void brokenPromiseIsFoundInTheBareSpi(String backend, String row, String test) throws ClassNotFoundException {
        assertThat(run(backend, BrokenStoreKit.class, StoreContract.class, row, test))
                .contains(TestExecutionResult.Status.FAILED);
        assertThat(run("unbroken", BrokenStoreKit.class, StoreContract.class, row, test))
                .containsOnly(TestExecutionResult.Status.SUCCESSFUL);
    }

    @Test
    void declaringWhatTheBackendCannotDoIsFound() throws ClassNotFoundException {
        String test = "openedBackendCanWhatItDeclares";
        assertThat(run("cannotBrowse", BrokenStoreKit.class, StoreContract.class, "Common", test))
                .containsOnly(TestExecutionResult.Status.FAILED);
        assertThat(run("unbroken", BrokenStoreKit.class, StoreContract.class, "Common", test))
                .containsOnly(TestExecutionResult.Status.SUCCESSFUL);
    }
}

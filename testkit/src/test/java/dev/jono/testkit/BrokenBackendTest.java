package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import dev.jono.Capability;
import dev.jono.spi.Backend;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract tests find broken backends, and pass for a correct one. */
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

    private static final Map<String, UnaryOperator<Backend>> BACKENDS = Map.of(
            "losesOnCrash", BrokenBackends::losesOnCrash,
            "deliversTwice", BrokenBackends::deliversTwice,
            "doesNotFence", BrokenBackends::doesNotFence,
            "forgetsDelayedMessages", BrokenBackends::forgetsDelayedMessages,
            "isEarly", BrokenBackends::isEarly,
            "liesInItsAck", BrokenBackends::liesInItsAck,
            "forgetsTokens", BrokenBackends::forgetsTokens,
            "cannotBrowse", backend -> new Faults().hide(Capability.BROWSE).over(backend),
            "unbroken", BrokenBackends::unbroken);

    /** Runs one test of a row of the contract, and returns its results, one per invocation. */
    private static List<TestExecutionResult.Status> run(
            String backend, Class<?> kit, Class<?> contract, String row, String test) throws ClassNotFoundException {
        UnaryOperator<Backend> chosen = BACKENDS.get(backend);
        assertThat(chosen).as(backend).isNotNull();
        broken = chosen;
        Class<?> nested = Class.forName(contract.getName() + "$" + row);
        PostDiscoveryFilter named = candidate -> FilterResult.includedIf(candidate
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName().equals(test))
                .orElse(true));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectNestedClass(List.of(kit), nested))
                .filters(named)
                .build();
        List<TestExecutionResult.Status> results = new CopyOnWriteArrayList<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                if (id.isTest()) {
                    results.add(result.getStatus());
                }
            }
        });
        assertThat(results).as("results of %s.%s", row, test).isNotEmpty();
        return results;
    }

    @ParameterizedTest(name = "{0} fails {1}.{2}")
    @CsvSource({
        "losesOnCrash, Stored, nothingIsLostWhenTheClientThatPushedIsClosed",
        "deliversTwice, Once, reservedMessageIsNobodyElses",
        "doesNotFence, Fenced, staleStepIsRefusedAndTheNewHolderUntouched",
        "forgetsDelayedMessages, Schedule, delayedMessageIsNeverEarlyAndWakesAWaitingConsumerWithoutPolling",
        "isEarly, Schedule, delayedMessageIsNeverEarlyAndWakesAWaitingConsumerWithoutPolling",
        "liesInItsAck, Once, ackedMessageNeverComesBack",
        "forgetsTokens, UnknownOutcome, pushWhoseReplyIsLostIsStoredOnce"
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
        "forgetsTokens, Repeating, repeatedInsertIsStoredOnceEvenIfTheFirstCopyIsConsumed"
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

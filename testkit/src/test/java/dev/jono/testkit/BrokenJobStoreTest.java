package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.JobStore;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;

/** The contract of job stores finds broken ones, and passes for a correct one. */
@Tag("twin")
@Timeout(120)
class BrokenJobStoreTest {
    /** The break of the store under test. It is static because JUnit creates the instances of the contract. */
    private static volatile UnaryOperator<JobStore> broken = UnaryOperator.identity();

    /** The contract, with the broken store. Only this test runs it, so its name does not end in Test. */
    static class BrokenKit extends JobStoreContract {
        @Override
        protected ContractSetup open() {
            return MemorySetup.fresh().build();
        }

        @Override
        JobStore wrapped(JobStore store) {
            return broken.apply(store);
        }
    }

    private static final Map<String, UnaryOperator<JobStore>> STORES = Map.of(
            "ignoresVersions", BrokenJobStores::ignoresVersions,
            "refusesRepeatedChanges", BrokenJobStores::refusesRepeatedChanges,
            "listsBackwards", BrokenJobStores::listsBackwards,
            "reopensRecords", BrokenJobStores::reopensRecords,
            "losesCounts", BrokenJobStores::losesCounts,
            "confusesOldest", BrokenJobStores::confusesOldest,
            "unbroken", UnaryOperator.identity());

    private static List<TestExecutionResult.Status> run(String store, String row, String test)
            throws ClassNotFoundException {
        UnaryOperator<JobStore> chosen = STORES.get(store);
        assertThat(chosen).as(store).isNotNull();
        broken = chosen;
        return ContractRun.results(BrokenKit.class, JobStoreContract.class, row, test);
    }

    @ParameterizedTest(name = "{0} fails {1}.{2}")
    @CsvSource({
        "ignoresVersions, Entries, entryIsChangedOnlyIfItHasTheExpectedVersion",
        "refusesRepeatedChanges, Entries, repeatedChangeIsDoneOnce",
        "listsBackwards, Entries, pagesAreInTheOrderOfTheNames",
        "reopensRecords, Writes, recordOfAnEndedJobIsNeverChanged",
        "reopensRecords, Writes, runThatHasLostItsLeaseChangesNoOpenRecord",
        "losesCounts, Lists, countsAreThoseOfTheRecords",
        "confusesOldest, Lists, oldestRecordsAreAtTheOtherEndOfTheList",
        "confusesOldest, Lists, oldestRecordsAreThoseThatListsShowLast"
    })
    void brokenPromiseIsFoundByItsTest(String store, String row, String test) throws ClassNotFoundException {
        assertThat(run(store, row, test)).contains(TestExecutionResult.Status.FAILED);
        assertThat(run("unbroken", row, test)).containsOnly(TestExecutionResult.Status.SUCCESSFUL);
    }
}

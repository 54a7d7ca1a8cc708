package dev.jono.testkit;

import dev.jono.jobs.spi.JobStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of a {@link JobStore}. Name the subclass {@code *ContractTest}, so that Surefire runs it. Needs {@code
 * jono-jobs} on the class path.
 */
@Tag("jobs")
public abstract class JobStoreContract {
    /** For subclasses. */
    protected JobStoreContract() {}

    /** Returns an empty storage location. Called for each test. */
    protected abstract ContractSetup open();

    /** The store under test; the kit's own tests break it. */
    JobStore wrapped(JobStore store) {
        return store;
    }

    /** Writes, and the writes that a store refuses. */
    @Nested
    @DisplayName("writes")
    public class Writes extends JobStoreWriteRules {
        Writes() {
            super(JobStoreContract.this::open, JobStoreContract.this::wrapped);
        }
    }

    /** Lists, counts, logs, retention. */
    @Nested
    @DisplayName("lists")
    public class Lists extends JobStoreListRules {
        Lists() {
            super(JobStoreContract.this::open, JobStoreContract.this::wrapped);
        }
    }

    /** Entries, which processes change together. */
    @Nested
    @DisplayName("entries")
    public class Entries extends JobStoreEntryRules {
        Entries() {
            super(JobStoreContract.this::open, JobStoreContract.this::wrapped);
        }
    }

    /** The log of events. */
    @Nested
    @DisplayName("events")
    public class Events extends JobStoreEventRules {
        Events() {
            super(JobStoreContract.this::open, JobStoreContract.this::wrapped);
        }
    }
}

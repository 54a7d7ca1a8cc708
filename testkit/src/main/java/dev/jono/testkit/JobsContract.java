package dev.jono.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of jobs, for backends that have a job store. Name the subclass {@code *ContractTest}, so that Surefire runs it. Needs
 * {@code jono-jobs} on the class path.
 */
@Tag("jobs")
public abstract class JobsContract {
    /** For subclasses. */
    protected JobsContract() {}

    /** Returns an empty storage location. Called for each test. */
    protected abstract ContractSetup open();

    /** Attempts, results, failures, priorities. */
    @Nested
    @DisplayName("runs")
    public class Runs extends JobRunRules {
        Runs() {
            super(JobsContract.this::open);
        }
    }

    /** Enqueues in transactions of the application. */
    @Nested
    @DisplayName("transactions")
    public class Transactions extends JobTransactionRules {
        Transactions() {
            super(JobsContract.this::open);
        }
    }

    /** Stops and timeouts. */
    @Nested
    @DisplayName("interrupts")
    public class Interrupts extends JobInterruptRules {
        Interrupts() {
            super(JobsContract.this::open);
        }
    }

    /** Progress, log, cancel, and the order of record and message. */
    @Nested
    @DisplayName("records")
    public class Records extends JobRecordRules {
        Records() {
            super(JobsContract.this::open);
        }
    }

    /** Lists, counts, and changes of many jobs. */
    @Nested
    @DisplayName("lists")
    public class Lists extends JobListRules {
        Lists() {
            super(JobsContract.this::open);
        }
    }

    /** Changes of priorities. */
    @Nested
    @DisplayName("priorities")
    public class Priorities extends JobPriorityRules {
        Priorities() {
            super(JobsContract.this::open);
        }
    }

    /** Unique keys. */
    @Nested
    @DisplayName("unique keys")
    public class Unique extends JobUniqueRules {
        Unique() {
            super(JobsContract.this::open);
        }
    }

    /** Unique keys whose duplicates replace payloads. */
    @Nested
    @DisplayName("newest payloads")
    public class Latest extends JobLatestRules {
        Latest() {
            super(JobsContract.this::open);
        }
    }

    /** Processes that compete for such keys. */
    @Nested
    @DisplayName("races for newest payloads")
    public class LatestRaces extends JobLatestRaceRules {
        LatestRaces() {
            super(JobsContract.this::open);
        }
    }

    /** Ordering keys. */
    @Nested
    @DisplayName("ordering keys")
    public class Keys extends JobKeyRules {
        Keys() {
            super(JobsContract.this::open);
        }
    }

    /** Limits and rates over all processes. */
    @Nested
    @DisplayName("limits")
    public class Limits extends JobLimitRules {
        Limits() {
            super(JobsContract.this::open);
        }
    }

    /** The kinds of events. */
    @Nested
    @DisplayName("events")
    public class Events extends JobEventRules {
        Events() {
            super(JobsContract.this::open);
        }
    }

    /** Handlers of several jobs. */
    @Nested
    @DisplayName("batch handlers")
    public class Batches extends JobBatchRules {
        Batches() {
            super(JobsContract.this::open);
        }
    }

    /** Schedules. */
    @Nested
    @DisplayName("schedules")
    public class Schedules extends JobScheduleRules {
        Schedules() {
            super(JobsContract.this::open);
        }
    }

    /** Listeners of events. */
    @Nested
    @DisplayName("listeners")
    public class Listeners extends JobListenerRules {
        Listeners() {
            super(JobsContract.this::open);
        }
    }

    /** Steps whose results are recorded. */
    @Nested
    @DisplayName("steps")
    public class Steps extends JobStepRules {
        Steps() {
            super(JobsContract.this::open);
        }
    }

    /** Jobs that start after other jobs. */
    @Nested
    @DisplayName("jobs after others")
    public class After extends JobAfterRules {
        After() {
            super(JobsContract.this::open);
        }
    }

    /** Batches, and the jobs that they enqueue at their end. */
    @Nested
    @DisplayName("batches")
    public class Callbacks extends JobCallbackRules {
        Callbacks() {
            super(JobsContract.this::open);
        }
    }

    /** Runners: what other processes see of them, and when they are idle. */
    @Nested
    @DisplayName("runners")
    public class Runners extends JobRunnerRules {
        Runners() {
            super(JobsContract.this::open);
        }
    }

    /** Numbers of jobs. */
    @Nested
    @DisplayName("numbers")
    public class Numbers extends JobNumberRules {
        Numbers() {
            super(JobsContract.this::open);
        }
    }
}

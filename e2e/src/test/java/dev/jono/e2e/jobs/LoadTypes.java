package dev.jono.e2e.jobs;

import dev.jono.Backoff;
import dev.jono.jobs.JobType;
import dev.jono.jobs.UniqueMode;
import java.time.Duration;
import java.util.List;

/** The types of the jobs of a {@link JobLoad}. */
final class LoadTypes {
    /** More than the number of runs of a job that are killed by chance. */
    private static final int MANY = 20;

    /** How many jobs of {@link #LIMITED} run at the same time. */
    static final int LIMIT = 3;

    /** The attempts of {@link #FAILING}. */
    static final int FEW = 3;

    static final JobType<Task, Void> PLAIN = type("plain");
    /** Each run fails. */
    static final JobType<Task, Void> FAILING = type("failing").maxAttempts(FEW);

    static final JobType<Task, Void> ORDERED = type("ordered").key(Task::group);
    static final JobType<Task, Void> UNIQUE = type("unique").unique(Task::group, UniqueMode.UNTIL_DONE);
    static final JobType<Task, Void> COALESCED = type("coalesced").unique(Task::group, UniqueMode.UNTIL_STARTED);
    static final JobType<Task, Void> LIMITED = type("limited").limit(LIMIT);
    /** The jobs in batches. */
    static final JobType<Task, Void> PART = type("part");
    /** The jobs that complete batches enqueue. */
    static final JobType<Task, Void> CALLBACK = type("callback");
    /** The jobs of schedules. */
    static final JobType<Task, Void> TICK = type("tick");

    static final List<JobType<Task, Void>> ALL =
            List.of(PLAIN, FAILING, ORDERED, UNIQUE, COALESCED, LIMITED, PART, CALLBACK, TICK);

    private LoadTypes() {}

    private static JobType<Task, Void> type(String name) {
        return JobType.of(name, Task.class).maxAttempts(MANY).backoff(Backoff.fixed(Duration.ofMillis(100)));
    }

    /** What the runs of a job do. */
    enum Plan {
        SUCCEED,
        /** The first run fails. */
        RETRY,
        /** The first run ends the job as failed. */
        FAIL,
        /** Each run fails. */
        THROW,
        /** A run succeeds when {@link #LIMIT} of them run at the same time. */
        MEET,
        /** The first run adds a job to the batch of its own. */
        ADD
    }

    /**
     * A payload.
     *
     * @param number of the job among those of its group
     * @param group the ordering key, the unique key, or the batch of the job
     * @param plan what its runs do
     */
    record Task(int number, String group, Plan plan) {
        Task(int number, String group) {
            this(number, group, Plan.SUCCEED);
        }

        /** Whether the job must fail. */
        boolean mustFail() {
            return plan == Plan.FAIL || plan == Plan.THROW;
        }
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sweeps that are slow, or meet a store that fails. */
class JobRetentionFaultsTest extends JobCase {
    private static final JobType<String, String> LAST = SHOUT.keepLast(3);

    private final JobFaults faults = new JobFaults();

    JobRetentionFaultsTest() {
        super(() -> MemorySetup.fresh().build());
    }

    private long succeeded() {
        return jobs().counts().getOrDefault(SHOUT.name(), Map.of()).getOrDefault(JobState.SUCCEEDED, 0L);
    }

    private void runEight() {
        List<JobHandle<String>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(jobs().enqueue(LAST, "hello"));
        }
        awaitReal("the ends", () -> all.stream().allMatch(job -> state(job) == JobState.SUCCEEDED));
    }

    /** Waits until the next sweep has come to a call; so the one before it has ended. */
    private void awaitNextSweep(String call) {
        faults.hold(call);
        passUntil("the next sweep", () -> faults.count(call) > 0);
        faults.release(call);
    }

    /** The counts that it has seen first are old by then. */
    @Test
    void sweepThatIsSlowerThanAnotherRemovesNoMore() {
        faults.hold("oldest");
        start(faults.jobs(jono()).runner().handle(LAST, (text, run) -> text));
        runEight();
        passUntil("a sweep", () -> faults.count("oldest") == 1);
        start(jobs(client()).runner().handle(LAST, (text, run) -> text));
        passUntil("the sweep of another process", () -> succeeded() == 3);
        faults.release("oldest");
        awaitNextSweep("expired");
        assertThat(succeeded()).isEqualTo(3);
    }

    @Test
    void sweepThatFailsIsRepeated() {
        faults.refuse("remove", ids -> true);
        start(faults.jobs(jono()).runner().handle(LAST, (text, run) -> text));
        runEight();
        passUntil("two attempts", () -> faults.count("remove") >= 2);
        assertThat(succeeded()).isEqualTo(8);
        faults.accept("remove");
        passUntil("a sweep", () -> succeeded() == 3);
    }

    /** A sweep reads the counts, and no list. */
    @Test
    void sweepWithNothingToDoReadsNoRecords() {
        faults.refuse("oldest", type -> true);
        start(faults.jobs(jono()).runner().handle(LAST.keepLast(8), (text, run) -> text));
        runEight();
        awaitNextSweep("counts");
        awaitNextSweep("expired");
        assertThat(faults.count("oldest")).isZero();
    }
}

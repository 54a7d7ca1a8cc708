package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobListening;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that are enqueued in a transaction of the application. */
abstract class JobTransactionRules extends JobCase {
    JobTransactionRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    final void requireTransactions() {
        requires(Capability.TRANSACTION);
    }

    private Jobs joining() {
        return jobs(connect(storage().joiningClient()));
    }

    private TestTransactions.Open begin() {
        return storage().transactions().begin();
    }

    @Test
    void jobExistsAndRunsAfterTheCommit() {
        Jobs jobs = joining();
        Queue<JobEvent.Kind> seen = new ConcurrentLinkedQueue<>();
        start(jobs().runner().handle(SHOUT, (text, run) -> text.toUpperCase(java.util.Locale.ROOT)));
        JobListening listening = jobs.on(JobEventFilter.all(), event -> seen.add(event.kind()));
        try (TestTransactions.Open open = begin()) {
            JobHandle<String> job = jobs.enqueue(SHOUT, "hello", o -> o.in(open.tx()));
            assertThat(jobs().get(job.id())).as("the job before the commit").isEmpty();
            assertThat(seen).isEmpty();
            open.commit();
            open.tx().committed();
            assertThat(result(job)).isEqualTo("HELLO");
            awaitReal("the event", () -> seen.contains(JobEvent.Kind.ENQUEUED));
        }
        listening.close();
    }

    @Test
    void rollbackLeavesNoJobAndNoKey() {
        Jobs jobs = joining();
        JobHandle<String> gone;
        try (TestTransactions.Open open = begin()) {
            gone = jobs.enqueue(
                    SHOUT, "hello", o -> o.unique("once", UniqueMode.UNTIL_DONE).in(open.tx()));
            open.rollback();
            open.tx().rolledBack();
        }
        assertThat(jobs().get(gone.id())).isEmpty();
        JobHandle<String> next = jobs().enqueue(SHOUT, "hello", o -> o.unique("once", UniqueMode.UNTIL_DONE));
        assertThat(next.duplicate()).isFalse();
        start(jobs().runner().handle(SHOUT, (text, run) -> text));
        assertThat(result(next)).isEqualTo("hello");
    }

    @Test
    void severalJobsWithKeysAreEnqueuedTogether() {
        JobType<String, String> keyed = SHOUT.key(text -> text.substring(0, 1));
        Jobs jobs = joining();
        List<JobHandle<String>> enqueued;
        try (TestTransactions.Open open = begin()) {
            enqueued = jobs.enqueueAll(keyed, List.of("a1", "b1", "a2"), o -> o.in(open.tx()));
            open.commit();
            open.tx().committed();
        }
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        start(jobs().runner().concurrency(4).handle(keyed, (text, run) -> {
            ran.add(text);
            return text;
        }));
        enqueued.forEach(job -> assertThat(result(job)).isNotNull());
        assertThat(ran).containsSubsequence("a1", "a2").contains("b1");
    }

    @Test
    void whatNeedsMoreThanOneStepIsRefused() {
        Jobs jobs = joining();
        JobType<String, String> latest = SHOUT.key(text -> text).unique(text -> text, UniqueMode.LATEST);
        try (TestTransactions.Open open = begin()) {
            assertThatThrownBy(() -> jobs.enqueue(latest, "a", o -> o.in(open.tx())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'shout'", "latest", "transaction");
            assertThatThrownBy(() -> jobs.enqueueAsync(SHOUT, "a", o -> o.in(open.tx())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'shout'", "use enqueue or enqueueAll");
            for (JobType<String, String> type : List.of(SHOUT, SHOUT.unique(text -> text, UniqueMode.UNTIL_DONE))) {
                assertThatThrownBy(() -> jobs.enqueueAllAsync(type, List.of("a", "b"), o -> o.in(open.tx())))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("'shout'", "use enqueue or enqueueAll");
            }
        }
    }
}

package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.jobs.AfterFailure;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Jobs that start after other jobs. */
abstract class JobAfterRules extends JobCase {
    private static final JobType<String, String> OTHER =
            JobType.of("other", String.class).returning(String.class);

    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

    JobAfterRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private String shout(String text) {
        begun.add(text);
        if (text.equals("bad") && Collections.frequency(begun, "bad") == 1) {
            throw new IllegalStateException("a test's");
        }
        return text;
    }

    private JobHandle<String> after(AfterFailure failure, JobHandle<?>... others) {
        String[] ids = new String[others.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = others[i].id();
        }
        return jobs(client()).enqueue(SHOUT, "last", o -> o.after(failure, ids));
    }

    @Test
    void jobStartsWhenAllOthersHaveSucceeded() {
        JobHandle<String> first = jobs().enqueue(SHOUT, "first");
        JobHandle<String> second = jobs().enqueue(OTHER, "second");
        JobHandle<String> last = after(AfterFailure.WAIT, first, second);
        start(jobs().runner().concurrency(2).handle(SHOUT, (text, run) -> shout(text)));
        result(first);
        passUntil(last, JobState.BLOCKED);
        assertThat(view(last).predecessors()).containsExactly(first.id(), second.id());
        assertThat(begun).containsExactly("first");
        start(jobs().runner().handle(OTHER, (text, run) -> shout(text)));
        result(last);
        assertThat(begun).containsExactly("first", "second", "last");
        assertThat(view(last).attempt()).isEqualTo(1);
    }

    @Test
    void jobWaitsForOneThatHasFailedUntilItIsRetried() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        JobHandle<String> bad = jobs().enqueue(once, "bad");
        JobHandle<String> last = after(AfterFailure.WAIT, bad);
        start(jobs().runner().handle(once, (text, run) -> shout(text)));
        passUntil(bad, JobState.FAILED);
        passUntil(last, JobState.BLOCKED);
        retryFailed(bad);
        result(last);
        assertThat(begun).containsExactly("bad", "bad", "last");
    }

    @Test
    void jobIsCancelledOrRunsIfAnotherHasFailed() {
        JobType<String, String> once = SHOUT.maxAttempts(1);
        JobHandle<String> bad = jobs().enqueue(once, "bad");
        JobHandle<String> good = jobs().enqueue(once, "good");
        JobHandle<String> cancelled = after(AfterFailure.CANCEL, good, bad);
        JobHandle<String> runs = after(AfterFailure.RUN, good, bad);
        start(jobs().runner().handle(once, (text, run) -> shout(text)));
        passUntil(cancelled, JobState.CANCELLED);
        assertThat(view(cancelled).reason())
                .hasValueSatisfying(reason -> assertThat(reason).contains(bad.id()));
        assertThat(view(cancelled).attempts()).isEmpty();
        assertThat(result(runs)).isEqualTo("last");
        assertThat(begun).containsExactlyInAnyOrder("bad", "good", "last");
    }

    @Test
    void jobThatIsGoneCountsAsSucceeded() {
        JobHandle<String> gone = jobs().enqueue(SHOUT, "gone");
        assertThat(jobs().remove(gone.id())).isTrue();
        JobHandle<String> last = after(AfterFailure.WAIT, gone);
        start(jobs().runner().handle(SHOUT, (text, run) -> shout(text)));
        result(last);
        assertThat(begun).containsExactly("last");
    }

    @Test
    void othersAreNamedByTheirIds() {
        assertThatThrownBy(() -> jobs().enqueue(SHOUT, "last", o -> o.after("first")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'first'");
        assertThatThrownBy(() -> jobs().enqueue(SHOUT, "last", o -> o.after()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

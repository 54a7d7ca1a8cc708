package dev.jono.test;

import dev.jono.Headers;
import dev.jono.jobs.JobPage;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.json.JsonCodecs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;

/**
 * Assertions about jobs. They read the storage: jobs that wait or run, and the records of those that have ended, which most types keep for a
 * day or longer.
 */
public final class JobsAssert extends AbstractAssert<JobsAssert, Jobs> {
    JobsAssert(Jobs actual) {
        super(actual, JobsAssert.class);
    }

    /**
     * Jobs of a type with these payloads were enqueued, and perhaps others.
     *
     * @param payloads compared by equals, after they were read with the standard JSON codec
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final <P> JobsAssert hasEnqueued(JobType<P, ?> type, P... payloads) {
        List<P> missing = new ArrayList<>(List.of(payloads));
        List<P> enqueued = all(type).stream().map(job -> payload(type, job)).toList();
        enqueued.forEach(missing::remove);
        if (!missing.isEmpty()) {
            failWithMessage(
                    "Expected jobs of type '%s' with the payloads%n  %s%nbut there were none with%n  %s%nEnqueued were%n  %s",
                    type.name(), List.of(payloads), missing, enqueued);
        }
        return this;
    }

    /** No job of a type was enqueued. */
    public JobsAssert hasNotEnqueued(JobType<?, ?> type) {
        Assertions.assertThat(all(type))
                .extracting(JobView::id)
                .as("jobs of type '%s'", type.name())
                .isEmpty();
        return this;
    }

    /** A job is in this state. */
    public JobsAssert hasState(String id, JobState expected) {
        JobView job = actual.get(id).orElse(null);
        if (job == null) {
            throw failure("There is no job %s", id);
        }
        if (job.state() != expected) {
            failWithMessage(
                    "Expected job %s to be %s, but it is %s%s",
                    id,
                    expected,
                    job.state(),
                    job.reason().map(reason -> ": " + reason).orElse(""));
        }
        return this;
    }

    /** A job has succeeded. */
    public JobsAssert hasSucceeded(String id) {
        return hasState(id, JobState.SUCCEEDED);
    }

    /** A job has failed at its last attempt. Its dead letter fails the test unless the test allows it. */
    public JobsAssert hasFailed(String id) {
        return hasState(id, JobState.FAILED);
    }

    private List<JobView> all(JobType<?, ?> type) {
        JobPage page = actual.find(JobQuery.ofType(type));
        List<JobView> all = new ArrayList<>(page.jobs());
        for (Optional<String> next = page.next(); next.isPresent(); next = page.next()) {
            page = actual.find(JobQuery.ofType(type).after(next.get()));
            all.addAll(page.jobs());
        }
        return all;
    }

    @SuppressWarnings("unchecked") // the codec of the type of the payloads
    private static <P> P payload(JobType<P, ?> type, JobView job) {
        try {
            return (P) JsonCodecs.standard().codec(type.payloadType()).decode(job.payload(), Headers.empty());
        } catch (Exception unreadable) {
            throw new AssertionError("the payload of job " + job.id() + " cannot be read", unreadable);
        }
    }
}

package dev.jono.test;

import dev.jono.jobs.Jobs;

/** The entry point of assertions about jobs, for AssertJ. Needs {@code jono-jobs}. */
public final class JobAssertions {
    private JobAssertions() {}

    /** Assertions about the jobs of a storage. */
    public static JobsAssert assertThat(Jobs jobs) {
        return new JobsAssert(jobs);
    }
}

package dev.jono.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A page of jobs.
 *
 * @param jobs the jobs, at most as many as the query allows
 * @param next the cursor of the next page, for {@link JobQuery#after}; empty if this is the last page. A page with a next page can have
 *     fewer jobs than the query allows, even none, because a call looks at 1,000 messages of a queue at most.
 */
public record JobPage(List<JobView> jobs, Optional<String> next) {
    /** Copies the list. */
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}

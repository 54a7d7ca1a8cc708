package dev.jono.jobs;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers of jobs: 1, 2, 3 and so on over all types of a storage, for clients that need numeric ids. A job gets its number when
 * {@link #of} is called for it first, and keeps it. All processes share them. Jobs without a number cost nothing. Thread-safe.
 *
 * <p>A number is never given to another job. It is deleted some time after its job was removed.
 */
public interface JobNumbers {
    /**
     * Returns the numbers of jobs, by their ids. Jobs without a number get the next ones, in the order of the collection. If a
     * process dies meanwhile, numbers can be left out.
     *
     * @param ids the ids of existing jobs
     */
    Map<String, Long> of(Collection<String> ids);

    /** Returns the id of the job with a number; empty if no job has it. The job itself may have been removed. */
    Optional<String> job(long number);
}

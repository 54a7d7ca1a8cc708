package dev.jono.jobs;

import java.time.Instant;
import java.util.List;

/**
 * What a {@link JobRunner} has last reported. The times are the storage's.
 *
 * @param id its id, which no other runner has
 * @param name its name, which the records of its jobs contain; several runners can have the same one
 * @param host the name of its host
 * @param pid the id of its process
 * @param state whether it starts jobs
 * @param types the names of the types that it handles, in the order of their handlers
 * @param concurrency the maximum number of jobs that run at the same time
 * @param running how many jobs were running
 * @param jobs the jobs that were running, those that have run longest first; at most 100
 * @param startedAt when it was started
 * @param lastSeen the time of the report
 */
public record RunnerView(
        String id,
        String name,
        String host,
        long pid,
        State state,
        List<String> types,
        int concurrency,
        int running,
        List<RunningJob> jobs,
        Instant startedAt,
        Instant lastSeen) {
    /** The state of a runner. */
    public enum State {
        /** It starts jobs. */
        RUNNING,
        /** It starts no more jobs, and waits for the running ones. */
        STOPPING
    }

    /** Copies the lists. */
    public RunnerView {
        types = List.copyOf(types);
        jobs = List.copyOf(jobs);
    }

    /** Returns a copy with other jobs, such as a part of them. */
    public RunnerView withJobs(List<RunningJob> others) {
        return new RunnerView(id, name, host, pid, state, types, concurrency, running, others, startedAt, lastSeen);
    }
}

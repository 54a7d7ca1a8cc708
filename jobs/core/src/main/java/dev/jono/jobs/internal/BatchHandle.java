package dev.jono.jobs.internal;

import dev.jono.jobs.BatchView;
import dev.jono.jobs.EnqueueOptions;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The handle of a batch. Called on the threads of users. Thread-safe. */
final class BatchHandle implements JobBatch {
    private final JobBatches batches;
    private final Enqueuer enqueuer;
    private final String name;

    /** Enqueues jobs with the name of their batch. */
    interface Enqueuer {
        <P, R> List<JobHandle<R>> enqueueAll(
                JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options, String batch);
    }

    BatchHandle(JobBatches batches, Enqueuer enqueuer, String name) {
        this.batches = batches;
        this.enqueuer = enqueuer;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public <P, R> JobHandle<R> enqueue(JobType<P, R> type, P payload, UnaryOperator<EnqueueOptions> options) {
        return enqueueAll(type, List.of(payload), options).get(0);
    }

    @Override
    public <P, R> List<JobHandle<R>> enqueueAll(
            JobType<P, R> type, List<? extends P> payloads, UnaryOperator<EnqueueOptions> options) {
        if (payloads.isEmpty()) {
            return List.of();
        }
        batches.add(name, type.name(), payloads.size());
        List<JobHandle<R>> jobs;
        try {
            jobs = enqueuer.enqueueAll(type, payloads, options, name);
        } catch (IllegalArgumentException | NullPointerException refused) {
            batches.add(name, type.name(), -payloads.size());
            throw refused;
        }
        long duplicates = jobs.stream().filter(JobHandle::duplicate).count();
        if (duplicates > 0) {
            batches.add(name, type.name(), -duplicates);
        }
        return jobs;
    }

    @Override
    public Optional<BatchView> view() {
        return batches.view(name);
    }

    @Override
    public void close() {
        batches.close(name);
    }

    @Override
    public String toString() {
        return "batch " + name;
    }
}

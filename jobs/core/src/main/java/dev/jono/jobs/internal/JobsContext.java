package dev.jono.jobs.internal;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.jobs.JobType;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.spi.ConnectedFactory;
import dev.jono.spi.OutageLog;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** The parts that the jobs of one factory share. Thread-safe. */
final class JobsContext {
    static final String LOG = "dev.jono.jobs";

    final ConnectedFactory jono;
    final JobStore store;
    final JonoClock clock;
    final Executor executor;
    final Batches<RecordChange, WriteOutcome> writes;
    final Batches<String, Optional<StoredRecord>> reads;
    final OutageLog outages;
    final EnqueueQueues enqueueQueues;
    final BatchCounts batchCounts;
    final JobEvents events;
    /** The runs in this process. */
    final Set<RunImpl> running = ConcurrentHashMap.newKeySet();
    /** How many succeeded jobs of a type are kept, for the types with such a limit that this process has run. */
    final Map<String, Integer> keepLast = new ConcurrentHashMap<>();
    /** How many jobs of a key run at once, for the types with ordering keys that this process has used. */
    private final Map<String, Integer> limitsPerKey = new ConcurrentHashMap<>();
    /** The number of final records that could not be written. */
    final AtomicLong lostRecords = new AtomicLong();

    JobsContext(ConnectedFactory jono, JobStore store) {
        this.jono = jono;
        this.store = store;
        this.clock = jono.companionConfig().clock();
        this.executor = jono.stepExecutor();
        this.writes = new Batches<>(store::write, executor);
        this.reads = new Batches<>(this::readAll, executor);
        this.outages = new OutageLog(clock);
        this.enqueueQueues = new EnqueueQueues(jono, this::rememberLimitPerKey);
        this.batchCounts = new BatchCounts(executor);
        this.events = new JobEvents(store, clock, executor, outages, jono.operationTimeout());
    }

    private CompletionStage<List<Optional<StoredRecord>>> readAll(List<String> ids) {
        return store.read(ids)
                .thenApply(found -> ids.stream()
                        .map(id -> Optional.ofNullable(found.get(id)))
                        .toList());
    }

    /** Lets this process remove the older succeeded jobs of a type, if it keeps only the last ones. */
    void rememberKeepLast(JobType<?, ?> type) {
        Integer jobs = type.keepLast();
        if (jobs != null) {
            keepLast.put(type.name(), jobs);
        }
    }

    /** Lets this process know how many jobs of a key run at once. */
    void rememberLimitPerKey(JobType<?, ?> type) {
        if (type.hasKeys()) {
            limitsPerKey.put(type.name(), type.limitPerKey());
        }
    }

    /**
     * How many jobs of a key run at once: what the type says, if this process knows it.
     *
     * @param recorded what an earlier job says
     */
    int limitPerKey(String type, int recorded) {
        return limitsPerKey.getOrDefault(type, recorded);
    }

    /**
     * Opens the queue of jobs with ordering keys in the storage, before a job is moved into it: if it was deleted, the move would create
     * a queue without keys. A claim creates one with keys.
     *
     * @param recorded how many jobs of a key run at once by the job
     */
    void openKeyed(String type, int recorded) {
        MessageQueue<EncodedPayload> queue = TypeQueues.open(jono, type, Lane.KEYED, limitPerKey(type, recorded));
        if (queue.totalSize() > 0) {
            return;
        }
        try {
            answer(queue.reserveAsync(Duration.ZERO)).ifPresent(Reservation::release);
        } catch (StorageException other) {
            LoggerFactory.getLogger(LOG)
                    .debug("the queue of jobs with keys of type '{}' has another number", type, other);
        }
    }

    /** @throws IllegalArgumentException if this cannot be the name of a type */
    TypeQueues queues(String type) {
        JobType.of(type, EncodedPayload.class);
        return new TypeQueues(jono, type);
    }

    /** The codec of payloads or results of a type. Encoded ones are stored as they are. */
    @SuppressWarnings("unchecked")
    <T> Codec<T> codec(Type type) {
        return type == EncodedPayload.class ? (Codec<T>) Codec.raw() : jono.codec(type);
    }

    /** Runs a task, unless the factory is closed. */
    void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException closed) {
            // The factory is closed, and with it the runners.
        }
    }

    /** Lets the runners of a type look for jobs again, in all processes. */
    void wakeRunners(String type) {
        queues(type).all().forEach(jono::wakeConsumers);
    }

    /** Frees the unique key of a job that has ended, if it has one. If that fails, the next job with the key finds its owner gone. */
    void freeKey(JobId job, Headers headers) {
        UniqueJob unique = UniqueJob.of(headers);
        if (unique == null) {
            return;
        }
        try {
            forgetKey(job, unique);
        } catch (JonoException failure) {
            outages.warn(LOG, failure, "the unique key '{}' of job {} could not be freed yet", unique.key(), job);
        }
    }

    /** Frees the unique key of a job, if the job still has it. */
    void forgetKey(JobId job, UniqueJob unique) {
        TypeQueues.open(jono, job.type(), Lane.NORMAL, 1)
                .forget(UniqueJob.scope(job.type()), unique.key(), job.message());
    }

    /** Reads the record of a job. */
    Optional<StoredRecord> read(String id) {
        return answer(reads.add(id));
    }

    /** Writes a record, in one attempt. */
    WriteOutcome write(RecordChange change) {
        return change(writes.add(change));
    }

    /** Waits for the answer to a call that reads. */
    <R> R answer(CompletionStage<R> stage) {
        return Answers.await(stage, clock, jono.operationTimeout(), false);
    }

    /** Waits for the answer to a call that changes something. */
    <R> R change(CompletionStage<R> stage) {
        return Answers.await(stage, clock, jono.operationTimeout(), true);
    }
}

package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.Reservation;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.internal.RunImpl.Interruption;
import dev.jono.jobs.spi.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs of one type from one queue. A worker calls it on the thread of the handler, with the messages that it has claimed
 * together: one for a handler of single jobs.
 *
 * <p>A run writes its record before it ends the message. So each redelivery begins with a read of the record: if the job has ended, only
 * its message is ended. A job that nobody has held has no record: only its runs write one, or a cancel while it is held. Thread-safe.
 */
final class JobExecution<P, R> {
    private static final Logger LOG = LoggerFactory.getLogger(JobsContext.LOG);
    private static final CompletableFuture<Optional<StoredRecord>> NO_RECORD =
            CompletableFuture.completedFuture(Optional.empty());

    private final JobsContext context;
    private final TypeHandler<P, R> handler;
    private final JobType<P, R> type;
    private final StartChecks checks;
    private final Jobs jobs;
    private final String runner;
    private final RunnerRuns runs;
    private final ResultEncoder<R> results;
    private final RunEnds ends;

    /**
     * The execution of a type from the queue of a priority.
     *
     * @param runs gets the runs while their handlers run
     */
    JobExecution(
            JobsContext context,
            TypeHandler<P, R> handler,
            JobPriority priority,
            RunnerSettings settings,
            RunnerRuns runs) {
        this.context = context;
        this.handler = handler;
        this.type = handler.type();
        this.runs = runs;
        this.results = new ResultEncoder<>(context.codec(handler.type().resultType()));
        this.ends = new RunEnds(context, handler.type());
        this.checks = new StartChecks(context, handler.type(), priority, ends);
        this.jobs = settings.jobs();
        this.runner = settings.name();
    }

    /**
     * Handles deliveries. If it returns, the worker acks those that are not settled. The jobs of one key are one call of the handler, and
     * so are those without a key; the calls come one after the other. Deliveries whose call must not begin any more are given back.
     *
     * @throws Exception the failure of a call, if the worker is to retry the messages that are not settled
     */
    void run(List<Reservation<EncodedPayload>> deliveries) throws Exception {
        long begun = context.clock.nanos();
        List<List<Reservation<EncodedPayload>>> calls = calls(deliveries);
        Throwable retry = null;
        for (int i = 0; i < calls.size(); i++) {
            if (i > 0 && !mayBegin(begun)) {
                giveBack(calls.subList(i, calls.size()).stream()
                        .flatMap(List::stream)
                        .map(this::end)
                        .toList());
                break;
            }
            try {
                call(calls.get(i), i > 0);
            } catch (Throwable failure) {
                retry = failure;
            }
        }
        rethrow(retry);
    }

    private static List<List<Reservation<EncodedPayload>>> calls(List<Reservation<EncodedPayload>> deliveries) {
        if (deliveries.size() == 1) {
            return List.of(deliveries);
        }
        Map<Optional<String>, List<Reservation<EncodedPayload>>> ofKeys = new LinkedHashMap<>();
        for (Reservation<EncodedPayload> delivery : deliveries) {
            ofKeys.computeIfAbsent(delivery.key(), key -> new ArrayList<>()).add(delivery);
        }
        return List.copyOf(ofKeys.values());
    }

    /** Whether one more call may begin: all calls must end within the time that the worker allows, see {@link RunnerSettings}. */
    private boolean mayBegin(long firstNanos) {
        return !runs.isStopping()
                && context.clock.nanos() - firstNanos < type.timeout().toNanos();
    }

    private MessageEnd end(Reservation<EncodedPayload> delivery) {
        return new MessageEnd(context, delivery, new JobId(type.name(), delivery.id()), runs);
    }

    /** Gives messages back, uncounted. The last one first, because the queue takes the later ones of a key back with an earlier one. */
    private static void giveBack(List<MessageEnd> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            messages.get(i).release(Duration.ZERO);
        }
    }

    private static void rethrow(@Nullable Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (Exception) failure;
        }
    }

    /**
     * Handles deliveries in one call. No run begins before all are checked, so that an exception of a check leaves none behind.
     *
     * @param waited whether other calls have run since the claim
     */
    private void call(List<Reservation<EncodedPayload>> deliveries, boolean waited) throws Exception {
        List<CompletableFuture<Optional<StoredRecord>>> reads = deliveries.stream()
                .map(delivery -> waited || delivery.isRedelivered() ? readRecord(delivery) : NO_RECORD)
                .toList();
        List<StartChecks.Allowed> allowed = new ArrayList<>();
        for (int i = 0; i < deliveries.size(); i++) {
            StartChecks.Allowed job = checks.check(end(deliveries.get(i)), reads.get(i));
            if (job != null) {
                allowed.add(job);
            }
        }
        List<BatchedRun<P, R>> batch = new ArrayList<>();
        for (StartChecks.Allowed job : allowed) {
            BatchedRun<P, R> begun = started(job, deliveries.size() == 1);
            if (begun == null) {
                break; // nor does any other
            }
            batch.add(begun);
        }
        giveBack(allowed.stream()
                .skip(batch.size())
                .map(StartChecks.Allowed::message)
                .toList());
        if (!batch.isEmpty()) {
            handle(batch);
        }
    }

    private CompletableFuture<Optional<StoredRecord>> readRecord(Reservation<EncodedPayload> delivery) {
        return context.reads.add(new JobId(type.name(), delivery.id()).toString());
    }

    /** Begins a run; null if no run may begin any more. */
    private @Nullable BatchedRun<P, R> started(StartChecks.Allowed job, boolean alone) {
        MessageEnd message = job.message();
        RunImpl run = job.run();
        run.begin(runner, message.delivery().dueAt(), type.timeout(), alone);
        if (!runs.add(run)) {
            run.finish();
            return null;
        }
        UniqueJob unique = UniqueJob.of(message.delivery().headers());
        if (unique != null && unique.mode() == UniqueJob.Mode.STARTED) {
            context.freeKey(message.id(), message.delivery().headers());
        }
        context.running.add(run);
        run.raise(JobEvent.Kind.STARTED, null);
        HandlerRun forHandler =
                new HandlerRun(context, jobs, run, type, message.delivery().headers());
        return new BatchedRun<>(job, forHandler, results);
    }

    private void handle(List<BatchedRun<P, R>> batch) throws Exception {
        JonoClock.Timer timeout = context.clock.schedule(
                type.timeout().toNanos(), () -> batch.forEach(each -> each.run.interrupt(Interruption.TIMEOUT)));
        Throwable failure = null;
        try {
            List<BatchedRun<P, R>> readable =
                    batch.stream().filter(this::decode).toList();
            if (!readable.isEmpty()) {
                handler.handler().run(List.copyOf(readable));
            }
            readable.forEach(each -> each.succeeded = true);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            timeout.cancel();
            for (BatchedRun<P, R> each : batch) {
                context.running.remove(each.run);
                runs.remove(each.run);
                each.interruption = each.run.finish();
            }
        }
        for (BatchedRun<P, R> each : batch) {
            each.run.awaitWrite();
        }
        end(batch, failure);
    }

    /** Decodes a payload; false if it cannot be read. */
    private boolean decode(BatchedRun<P, R> each) {
        Reservation<EncodedPayload> delivery = each.message.delivery();
        try {
            EncodedPayload stored = each.replaced == null ? delivery.payload() : each.replaced;
            P payload = context.<P>codec(type.payloadType()).decode(stored, delivery.headers());
            if (payload == null) {
                throw new IllegalArgumentException("the payload is null");
            }
            each.payload = payload;
            return true;
        } catch (Exception unreadable) {
            each.failure = unreadable;
            return false;
        }
    }

    /**
     * Ends the runs of a batch. The failure of the handler is that of all jobs that have not succeeded. A job whose predecessor in the
     * order of its key has failed runs again after it, and this run does not count.
     */
    private void end(List<BatchedRun<P, R>> batch, @Nullable Throwable failure) throws Exception {
        Throwable retry = null;
        Set<String> failedKeys = new HashSet<>();
        List<MessageEnd> followers = new ArrayList<>();
        for (BatchedRun<P, R> each : batch) {
            if (each.failure == null && !each.succeeded) {
                each.failure = failure;
            }
            String key = type.limitPerKey() == 1 ? each.message.delivery().key().orElse(null) : null;
            if (key != null && failedKeys.contains(key)) {
                followers.add(each.message);
                continue;
            }
            try {
                end(each);
            } catch (Throwable retried) {
                retry = retried;
            }
            if (key != null && each.failure != null) {
                failedKeys.add(key);
            }
        }
        giveBack(followers); // all are settled here: the worker acks the others
        rethrow(retry);
    }

    private void end(BatchedRun<P, R> each) throws Exception {
        Throwable failure = each.failure;
        if (each.interruption == Interruption.ENDED) {
            LOG.info("job {} had ended before its run did; the run has no effect", each.run.id());
            each.message.endAsRecorded();
        } else if (each.interruption == Interruption.STOP && failure != null) {
            ends.interrupted(each.message, each.run);
        } else if (each.interruption == Interruption.TIMEOUT) {
            ends.timedOut(each.message, each.run, failure);
        } else if (failure != null) {
            ends.failed(each.message, each.run, failure);
        } else {
            ends.succeeded(each.message, each.run, each.encoded);
        }
    }
}

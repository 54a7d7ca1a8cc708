package dev.jono.jobs.internal;

import dev.jono.BrowsedMessage;
import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobView;
import dev.jono.jobs.spi.StoredRecord;
import java.util.Objects;
import java.util.Optional;

/**
 * Changes priorities: moves the message of a job into the queue of the priority. The record of the job is not written: while the job
 * has not ended, the queue of its message decides, and each later write of the record copies that. Thread-safe.
 */
final class PriorityChanges {
    private final JobsContext context;
    private final JobLists lists;

    PriorityChanges(JobsContext context, JobLists lists) {
        this.context = context;
        this.lists = lists;
    }

    /** Changes the priority of one job; see {@link dev.jono.jobs.Jobs#changePriority}. */
    boolean change(JobId job, JobPriority priority) {
        Objects.requireNonNull(priority, "priority");
        EditOutcome outcome = move(job, priority);
        // Another caller may have moved the message since this one has found it.
        return (outcome == EditOutcome.ABSENT ? move(job, priority) : outcome) == EditOutcome.DONE;
    }

    private EditOutcome move(JobId job, JobPriority priority) {
        TypeQueues queues = context.queues(job.type());
        Optional<StoredRecord> record = context.read(job.toString());
        TypeQueues.Found found = queues.find(job.message()).orElse(null);
        if (found == null || record.filter(r -> r.state().isEnded()).isPresent()) {
            return EditOutcome.ABSENT;
        }
        requireNoKey(job, found);
        if (found.message().state() == BrowsedMessage.State.RESERVED) {
            return EditOutcome.HELD;
        }
        Lane lane = Lane.of(priority);
        return found.lane() == lane
                ? EditOutcome.DONE
                : context.jono.moveIdleUnchanged(found.queue(), job.message(), lane.queue(job.type()));
    }

    private static void requireNoKey(JobId job, TypeQueues.Found found) {
        if (found.lane() == Lane.KEYED) {
            throw new IllegalArgumentException("job " + job + " has the ordering key '"
                    + found.message().headers().string(Headers.KEY)
                    + "' and no priority: jobs with keys run in the order of their keys");
        }
    }

    /** Changes the priority of many jobs. A job that was moved is seen again in its new queue, and is not counted there. */
    int changeAll(JobQuery query, JobPriority priority, int max) {
        Objects.requireNonNull(priority, "priority");
        return lists.forEach(query, max, job -> isChangeable(job, priority) && change(JobId.parse(job.id()), priority));
    }

    private static boolean isChangeable(JobView job, JobPriority priority) {
        return !job.state().isEnded() && job.priority() != priority && job.key().isEmpty();
    }
}

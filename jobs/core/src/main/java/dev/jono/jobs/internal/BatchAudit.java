package dev.jono.jobs.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Completes closed batches whose numbers are wrong because a process died, and removes old ones. A batch whose numbers have not changed for
 * half a minute is complete if none of its jobs is in a queue. Looks at batches of large queues become rarer. {@link Watch} calls it at
 * intervals in each process that has runners. Thread-safe.
 */
final class BatchAudit {
    private static final int PAGE = 100;
    private static final int BROWSED = 1000;
    private static final int LOOKS = 2;
    private static final Duration FIRST = Duration.ofSeconds(30);
    /** The pauses between audits of one batch double this often: up to an hour. */
    private static final int MAX_DOUBLINGS = 7;
    /** How long a complete batch is kept. */
    private static final Duration KEEP = Duration.ofDays(7);

    private final JobsContext context;
    private final JobBatches batches;
    private final EntryEditor entries;
    private final ReentrantLock lock = new ReentrantLock();

    /** The name behind which the next page begins. */
    @GuardedBy("lock") private String after = "";

    BatchAudit(JobsContext context, JobBatches batches) {
        this.context = context;
        this.batches = batches;
        this.entries = new EntryEditor(context, JobBatches.KIND);
    }

    /** Looks at one page of batches, unless another look is in progress. */
    void look() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            EntryPage page = entries.list(after, PAGE);
            List<StoredEntry> found = page.entries();
            after = found.size() < PAGE ? "" : found.get(PAGE - 1).name();
            found.forEach(entry -> look(entry, Instant.ofEpochMilli(page.nowMillis())));
        } catch (RuntimeException failure) {
            context.outages.warn(JobsContext.LOG, failure, "batches could not be audited; tried again later");
        } finally {
            lock.unlock();
        }
    }

    private void look(StoredEntry entry, Instant now) {
        BatchDocument batch = BatchDocument.parse(entry.document());
        Duration idle = batch.idleFor(now);
        EntryEditor.Current current = new EntryEditor.Current(entry.name(), entry, now);
        if (batch.state().isComplete() && idle.compareTo(KEEP) > 0) {
            entries.store(current, null);
        } else if (batch.state() == BatchView.State.CLOSED
                && idle.compareTo(FIRST.multipliedBy(1L << Math.min(batch.audits(), MAX_DOUBLINGS))) > 0) {
            audit(current, batch);
        }
    }

    /** If the batch changes meanwhile, the audit has no effect. */
    private void audit(EntryEditor.Current current, BatchDocument batch) {
        if (anyLive(current.name(), batch)) {
            batch.audited();
            entries.store(current, batch.text());
        } else {
            batches.complete(current, batch);
        }
    }

    /** Looks more than once, because a message can move from a queue that is looked at later to an earlier one. */
    private boolean anyLive(String name, BatchDocument batch) {
        for (int look = 0; look < LOOKS; look++) {
            boolean found = batch.types().stream()
                    .flatMap(type -> context.queues(type).all().stream())
                    .anyMatch(queue -> anyLive(name, queue));
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyLive(String name, MessageQueue<EncodedPayload> queue) {
        String cursor = null;
        while (true) {
            List<BrowsedMessage<EncodedPayload>> page = queue.browse(cursor, BROWSED);
            if (page.stream().anyMatch(message -> name.equals(JobHeaders.batch(message.headers())))) {
                return true;
            }
            if (page.size() < BROWSED) {
                return false;
            }
            cursor = page.get(page.size() - 1).cursor();
        }
    }
}

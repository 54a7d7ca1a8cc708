package dev.jono.jobs.internal;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The payloads that duplicates have given to waiting jobs with {@link dev.jono.jobs.UniqueMode#LATEST}: entries of the job store, named
 * by the jobs.
 *
 * <p>An enqueue that is a duplicate writes the entry, then pushes again. If the job still has the key, the entry was there while the job
 * had it. The first run of the job frees the key, then reads the entry, so it finds this payload or a later one. A process that dies in
 * between has neither answered the enqueue, nor started the job. Entries are removed after the end of their jobs, and by {@link
 * #sweep} if a process died. Blocks the calling thread; thread-safe.
 */
final class LatestPayloads {
    private static final String KIND = "latest";
    private static final int VERSION = 1;
    /** Each entry costs up to three reads. */
    private static final int PAGE = 20;

    private final JobsContext context;
    private final EntryEditor entries;

    LatestPayloads(JobsContext context) {
        this.context = context;
        this.entries = new EntryEditor(context, KIND);
    }

    /** Gives a payload to a waiting job. If another enqueue stores its payload at the same time, that one is the newer one. */
    void give(JobId job, EncodedPayload payload) {
        var document = JobJson.object().put("v", VERSION);
        PayloadFields.put(document, payload);
        entries.store(entries.current(job.toString()), document.toString());
    }

    /** The payload that a duplicate has given to a job; null if there was none. */
    @Nullable EncodedPayload of(JobId job) {
        StoredEntry entry = entries.current(job.toString()).entry();
        return entry == null ? null : payload(entry);
    }

    /** The payload that a duplicate has given to the job of a message; null if there was none, or the job does not have the mode. */
    @Nullable EncodedPayload of(JobId job, BrowsedMessage<EncodedPayload> message) {
        return UniqueJob.isLatest(message.headers()) ? of(job) : null;
    }

    /** The payloads of those of these messages that are jobs with the mode, by the ids of their jobs. */
    Map<String, EncodedPayload> of(String type, List<BrowsedMessage<EncodedPayload>> messages) {
        List<String> ids = messages.stream()
                .filter(message -> UniqueJob.isLatest(message.headers()))
                .map(message -> new JobId(type, message.id()).toString())
                .toList();
        Map<String, EncodedPayload> payloads = new HashMap<>();
        if (!ids.isEmpty()) {
            context.answer(context.store.entries(KIND, ids))
                    .entries()
                    .forEach(entry -> payloads.put(entry.name(), payload(entry)));
        }
        return payloads;
    }

    private static EncodedPayload payload(StoredEntry entry) {
        return PayloadFields.get(JobJson.parse(entry.document()));
    }

    /** Whether a job takes payloads: it has the mode, and has not ended. */
    boolean isTakenBy(JobId job) {
        return message(job).filter(found -> UniqueJob.isLatest(found.headers())).isPresent()
                && context.read(job.toString())
                        .filter(record -> record.state().isEnded())
                        .isEmpty();
    }

    private Optional<BrowsedMessage<EncodedPayload>> message(JobId job) {
        return context.queues(job.type()).waiting(Lane.KEYED).get(job.message());
    }

    /** Removes the entry of a job that has not taken the payload. If the job is still there, its end removes the entry. */
    void withdraw(JobId job) {
        quietly(job.toString(), () -> removeUnlessLive(entries.current(job.toString())));
    }

    /** Removes the entry of a job that has ended. */
    void removeAfterEnd(JobId job) {
        quietly(job.toString(), () -> remove(entries.current(job.toString())));
    }

    /**
     * Removes those entries of a page whose jobs are gone: a process has died, or the storage did not answer.
     *
     * @param after the name behind which the page begins
     * @return the name behind which the next page begins; empty at the end
     */
    String sweep(String after) {
        EntryPage page = entries.list(after, PAGE);
        List<StoredEntry> found = page.entries();
        Instant now = Instant.ofEpochMilli(page.nowMillis());
        found.forEach(entry -> removeUnlessLive(new EntryEditor.Current(entry.name(), entry, now)));
        return found.size() < PAGE ? "" : found.get(PAGE - 1).name();
    }

    private void removeUnlessLive(EntryEditor.Current current) {
        if (current.entry() != null && !isLive(JobId.parse(current.name()))) {
            remove(current);
        }
    }

    /** The message may move from the waiting jobs to the failed ones, or back. */
    private boolean isLive(JobId job) {
        MessageQueue<EncodedPayload> failed = context.queues(job.type()).failed();
        return message(job).isPresent()
                || failed.get(job.message()).isPresent()
                || message(job).isPresent();
    }

    /** If the entry changes meanwhile, the enqueue that changes it removes it. */
    private void remove(EntryEditor.Current current) {
        if (current.entry() != null) {
            entries.store(current, null);
        }
    }

    /** What remains is removed by {@link #sweep}. */
    private void quietly(String job, Runnable removal) {
        try {
            removal.run();
        } catch (JonoException failure) {
            context.outages.warn(
                    JobsContext.LOG, failure, "the unused payload of job {} could not be removed yet", job);
        }
    }
}

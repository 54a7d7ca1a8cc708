package dev.jono.jobs.internal;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.JobView;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The jobs that are messages in one queue of their type, in the order of their due times. */
final class MessageSection implements JobSection {
    /** How many messages one read looks at. */
    private static final int MAX_LOOKS = 1000;

    private static final int MIN_READ = 50;

    private final JobsContext context;
    private final LatestPayloads payloads;
    private final String type;
    private final String name;
    private final MessageQueue<EncodedPayload> queue;
    private final JobQuery query;
    private final Viewer viewer;

    /** Creates the view of a job; empty if another section lists it. */
    private interface Viewer {
        Optional<JobView> view(
                JobId id,
                BrowsedMessage<EncodedPayload> message,
                @Nullable StoredRecord record,
                @Nullable EncodedPayload newest);
    }

    private MessageSection(
            JobsContext context,
            String type,
            String name,
            MessageQueue<EncodedPayload> queue,
            JobQuery query,
            Viewer viewer) {
        this.context = context;
        this.payloads = new LatestPayloads(context);
        this.type = type;
        this.name = name;
        this.queue = queue;
        this.query = query;
        this.viewer = viewer;
    }

    /** The jobs of a lane that have not ended. */
    static MessageSection waiting(JobsContext context, TypeQueues queues, String type, Lane lane, JobQuery query) {
        MessageQueue<EncodedPayload> queue = queues.waiting(lane);
        return new MessageSection(
                context,
                type,
                type + ' ' + lane,
                queue,
                query,
                (id, message, record, newest) -> record != null
                                && record.state().isEnded()
                        ? Optional.empty()
                        : Optional.of(Views.live(id, new TypeQueues.Found(queue, lane, message), record, newest)));
    }

    /** The failed jobs whose records do not say so, because these could not be written. */
    static MessageSection unrecorded(JobsContext context, TypeQueues queues, String type, JobQuery query) {
        return new MessageSection(
                context,
                type,
                type + " unrecorded",
                queues.failed(),
                query,
                (id, message, record, newest) -> record != null && record.state() == RecordState.FAILED
                        ? Optional.empty()
                        : Optional.of(Views.failed(id, message, record, newest)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Part read(@Nullable String place, int limit) {
        String at = place == null ? "" : place;
        List<JobView> jobs = new ArrayList<>();
        for (int looked = 0; jobs.size() < limit && looked < MAX_LOOKS; ) {
            int wanted = Math.max(MIN_READ, limit - jobs.size());
            List<BrowsedMessage<EncodedPayload>> messages = queue.browse(at.isEmpty() ? null : at, wanted);
            Map<String, StoredRecord> records = records(messages);
            Map<String, EncodedPayload> newest = payloads.of(type, messages);
            for (BrowsedMessage<EncodedPayload> message : messages) {
                if (jobs.size() == limit) {
                    return new Part(jobs, at);
                }
                at = message.cursor();
                JobId id = new JobId(type, message.id());
                viewer.view(id, message, records.get(id.toString()), newest.get(id.toString()))
                        .filter(this::matches)
                        .ifPresent(jobs::add);
            }
            looked += messages.size();
            if (messages.size() < wanted) {
                return new Part(jobs, null);
            }
        }
        return new Part(jobs, at);
    }

    private Map<String, StoredRecord> records(List<BrowsedMessage<EncodedPayload>> messages) {
        return context.answer(context.store.read(messages.stream()
                .map(message -> new JobId(type, message.id()).toString())
                .toList()));
    }

    private boolean matches(JobView view) {
        return (query.state() == null || query.state() == view.state())
                && (query.tag() == null || view.tags().contains(query.tag()))
                && (query.batch() == null
                        || view.batch().filter(query.batch()::equals).isPresent())
                && (query.key() == null
                        || view.key().filter(query.key()::equals).isPresent());
    }
}

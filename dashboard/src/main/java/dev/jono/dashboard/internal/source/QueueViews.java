package dev.jono.dashboard.internal.source;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at queues and their messages. Thread-safe. */
public final class QueueViews {
    /** How many messages a page looks at most, to find those of one state. */
    private static final int MAX_LOOK = 1_000;

    private static final int READ = 100;

    private final Payloads payloads;

    public QueueViews(Payloads payloads) {
        this.payloads = payloads;
    }

    /**
     * A page of queues, sorted by name.
     *
     * @param text a part of the names, in any case; empty for all
     * @param lanes whether to show the queues of jobs instead of the others
     * @param after the name behind which the page begins; empty for the first page
     */
    public Page<QueueSample> list(Source source, Viewer viewer, String text, boolean lanes, String after, int limit) {
        Names names = source.names();
        String part = text.toLowerCase(Locale.ROOT);
        List<String> found = (lanes ? names.lanes() : names.queues())
                .tailSet(after, false).stream()
                        .filter(queue -> queue.toLowerCase(Locale.ROOT).contains(part))
                        .filter(queue -> viewer.may(Operation.VIEW, queue))
                        .limit(limit + 1L)
                        .toList();
        List<String> shown = found.subList(0, Math.min(limit, found.size()));
        return new Page<>(
                shown.stream().map(source::sample).toList(), found.size() > limit ? shown.get(limit - 1) : null);
    }

    /** The numbers of a queue that is there. */
    public QueueSample queue(Source source, String queue) {
        source.existing(queue);
        return source.sample(queue);
    }

    /** What the backend of a queue can do. */
    public Set<Capability> capabilities(Source source, String queue) {
        return new TreeSet<>(source.existing(queue).capabilities());
    }

    /**
     * A page of messages.
     *
     * @param state of which state; null for all
     * @param after the cursor of the page; null for the first page
     */
    public Page<MessageView> messages(
            Source source, String queue, BrowsedMessage.@Nullable State state, @Nullable String after, int limit) {
        MessageQueue<EncodedPayload> messages = source.existing(queue);
        require(messages, Capability.BROWSE);
        List<MessageView> found = new ArrayList<>();
        String cursor = after;
        int looked = 0;
        while (looked < MAX_LOOK) {
            int wanted = state == null ? limit - found.size() : READ;
            List<BrowsedMessage<EncodedPayload>> read = browse(messages, cursor, wanted);
            for (BrowsedMessage<EncodedPayload> message : read) {
                cursor = message.cursor();
                if (state == null || message.state() == state) {
                    found.add(MessageView.of(message, payloads));
                }
                if (found.size() == limit) {
                    return new Page<>(found, cursor);
                }
            }
            looked += read.size();
            if (read.size() < wanted) {
                return new Page<>(found, null);
            }
        }
        return new Page<>(found, cursor);
    }

    private static List<BrowsedMessage<EncodedPayload>> browse(
            MessageQueue<EncodedPayload> queue, @Nullable String cursor, int wanted) {
        try {
            return queue.browse(cursor, wanted);
        } catch (IllegalArgumentException e) {
            throw ProblemException.bad("the cursor is not one of this list");
        }
    }

    /** A message that is there. */
    public MessageView message(Source source, String queue, String id) {
        return MessageView.of(find(source, queue, id), payloads);
    }

    /** The whole payload of a message, as it may be shown. */
    public EncodedPayload payload(Source source, String queue, String id) {
        return payloads.redact(queue, find(source, queue, id).raw());
    }

    private static BrowsedMessage<EncodedPayload> find(Source source, String queue, String id) {
        MessageQueue<EncodedPayload> messages = source.existing(queue);
        require(messages, Capability.BROWSE);
        return messages.get(id)
                .orElseThrow(() -> ProblemException.missing(
                        "there is no message '" + id + "' in '" + queue + "': it is consumed, moved or removed"));
    }

    private static void require(MessageQueue<EncodedPayload> queue, Capability capability) {
        if (!queue.capabilities().contains(capability)) {
            throw new ProblemException(
                    501, "the backend '" + queue.backend() + "' cannot show messages: it declares no " + capability);
        }
    }

    /** The state of this name; empty for an empty text. */
    public static Optional<BrowsedMessage.State> state(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(BrowsedMessage.State.valueOf(text.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw ProblemException.bad(
                    "'" + text + "' is not a state of messages: use ready, scheduled, reserved or blocked");
        }
    }
}
